//! Work on other machines, carried by NATS JetStream.
//!
//! Jobs stay in the database, which hands them out by priority and by turn and
//! keeps each until the transaction that stores its result: nothing can be lost
//! between the database and the broker. What travels is the heavy part of a job,
//! compiling a source or playing matches, as an order that is complete in
//! itself. Workers hold nothing but a token; whatever they answer is checked
//! before it is believed, and some of it is played twice.
//!
//! - `names`: streams and subjects, and which of them a worker may use
//! - `broker`: the connection, keys, the users that the broker must know
//! - `enrolment`: workers as instructors know them: tokens, scopes, suspensions
//! - `letters`: what the two sides tell each other
//! - `fleet`: who is there, what each has, what came back
//! - `machines`: the fleet as the machines of the judge, and `check` and `heard`, which believe nothing
//! - `trust`: results that nobody has confirmed, and playing them again
//! - `handing`: takes jobs while the fleet has room
//! - `worker`: the program on the other machines

pub mod broker;
pub mod check;
pub mod enrolment;
pub mod fleet;
pub mod handing;
mod heard;
pub mod letters;
pub mod machines;
pub mod modules;
pub mod names;
pub mod trust;
pub mod worker;
