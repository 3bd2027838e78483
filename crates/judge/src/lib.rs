//! The judge: a course site on which players are submitted, verified and watched.
//!
//! `command` reads the command line and starts the rest: `web` and `pages` are
//! the site, `queue` hands out work, `worker` takes it, `jobs` are what is done,
//! with the machines of the `workshop`, and everything that must last is in `database` and `store`.

pub mod accounts;
pub mod actions;
mod admin;
pub mod api;
pub mod caretaker;
pub mod clock;
pub mod command;
mod content;
pub mod course;
pub mod database;
pub mod demo;
mod demo_final;
pub mod desk;
pub mod devices;
mod downloads;
pub mod exceptions;
pub mod faults;
pub mod following;
pub mod frame;
pub mod friends;
pub mod grading;
pub mod ids;
pub mod intake;
mod invisible;
pub mod jobs;
mod kit;
mod log;
pub mod losses;
pub mod matches;
pub mod news;
pub mod official;
pub mod overruns;
pub mod pages;
pub mod playroom;
pub mod queue;
mod reception;
pub mod restoring;
mod retirement;
mod roster;
pub mod seasons;
pub mod secrets;
pub mod sessions;
pub mod sharing;
mod source;
mod start;
pub mod storage;
pub mod store;
pub mod submissions;
pub mod suspect;
pub mod texts;
pub mod throttle;
pub mod tokens;
pub mod training;
pub mod trouble;
pub mod verification;
pub mod visibility;
pub mod web;
mod words;
pub mod worker;
pub mod workshop;
