//! Lines for whoever runs the judge, on standard error.

pub fn error(message: &str) {
    line("error", message);
}

pub fn note(message: &str) {
    line("note", message);
}

fn line(kind: &str, message: &str) {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    eprintln!("{time} {kind}: {message}");
}
