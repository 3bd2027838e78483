use super::{BuildError, CommandLine};
use std::path::Path;
pub struct RustCompiler;
pub struct Prepared;
pub fn find() -> Result<RustCompiler, BuildError> {
    Err(BuildError::Missing { what: "rust".into(), install: "x".into() })
}
impl RustCompiler {
    pub fn prepare(&self, _: &Path, _: &Path) -> Result<Prepared, BuildError> {
        Ok(Prepared)
    }
}
impl Prepared {
    pub fn key(&self) -> &str {
        ""
    }
    pub fn command(&self, _: &Path, _: &Path) -> CommandLine {
        CommandLine::default()
    }
}
