//! What is done on the judge of a course, by its calls: `docs/api.md`.

pub mod account;
mod client;
pub mod fetch;
mod follow;
pub mod kit;
pub mod login;
pub mod logout;
pub mod status;
pub mod submit;
pub mod train;
pub mod volunteer;
