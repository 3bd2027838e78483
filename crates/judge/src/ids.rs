//! The numbers under which the database knows things: a type for each noun, so
//! that none is taken for another's.

macro_rules! ids {
    ($($name:ident,)*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        #[serde(transparent)]
        #[schemars(inline)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        crate::database::stored_as!($name, i64, |id| id.0, |number| Some($name(number)));
    )*};
}

ids!(
    AccountId,
    SessionId,
    SeasonId,
    SubmissionId,
    MatchId,
    JobId,
    TrainingId,
    NewsId,
    TokenId,
    LetterId,
    LikenessId,
    WorkerId,
);
