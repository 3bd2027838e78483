//! Light or dark: what somebody chose for a browser, or what its system says.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// As cookies, forms and the viewer know it.
    pub fn word(self) -> &'static str {
        ["auto", "light", "dark"][self as usize]
    }

    pub fn of(word: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.word() == word)
    }

    /// The word, where the system has no say.
    pub fn forced(self) -> Option<&'static str> {
        (self != Theme::System).then(|| self.word())
    }

    /// What browsers paint before they have read the style.
    pub fn schemes(self) -> &'static str {
        self.forced().unwrap_or("light dark")
    }
}
