//! Streams and subjects, and which of them a worker may use.
//!
//! A worker's number is a part of every subject that it writes to, and the broker
//! lets it write to no other's: so nobody can answer for somebody else.

use ludus_arena::season::Hash;

use crate::ids::WorkerId;

/// Orders, one subject for each worker.
pub const WORK: &str = "LUDUS_WORK";
/// What came of them.
pub const RESULTS: &str = "LUDUS_RESULTS";
/// Modules for each worker, by hash, in parts.
pub const MODULES: &str = "LUDUS_MODULES";

/// The subjects that a stream keeps.
pub fn kept_by(stream: &str) -> String {
    let part = match stream {
        WORK => "work",
        RESULTS => "result",
        _ => "module",
    };
    format!("ludus.{part}.>")
}

pub fn work_for(worker: WorkerId) -> String {
    format!("ludus.work.{worker}")
}

/// The name under which the broker keeps how far a worker has come.
pub fn consumer_of(worker: WorkerId) -> String {
    format!("w{worker}")
}

pub fn result(judge: &str, worker: WorkerId, order: &str) -> String {
    format!("ludus.result.{judge}.{worker}.{order}")
}

/// All results for a judge.
pub fn results_for(judge: &str) -> String {
    format!("ludus.result.{judge}.>")
}

/// The worker and the order of a result.
pub fn of_result(subject: &str) -> Option<(WorkerId, &str)> {
    let mut parts = subject.strip_prefix("ludus.result.")?.split('.').skip(1);
    let worker = WorkerId(parts.next()?.parse().ok()?);
    let order = parts.next()?;
    parts.next().is_none().then_some((worker, order))
}

/// Where a worker says that it is there.
pub fn here(worker: WorkerId) -> String {
    format!("ludus.here.{worker}")
}

pub const ALL_HERE: &str = "ludus.here.*";

pub fn of_here(subject: &str) -> Option<WorkerId> {
    subject.strip_prefix("ludus.here.")?.parse().ok().map(WorkerId)
}

/// What a judge says to a worker.
pub fn notice(worker: WorkerId) -> String {
    format!("ludus.notice.{worker}")
}

/// A part of a module that a worker has an order with.
pub fn module(worker: WorkerId, hash: &Hash, part: u32) -> String {
    format!("ludus.module.{worker}.{hash}.{part}")
}

/// Where a worker asks for a part of a module.
pub fn ask_for_module(worker: WorkerId, hash: &Hash, part: u32) -> String {
    format!("$JS.API.DIRECT.GET.{MODULES}.{}", module(worker, hash, part))
}

/// What answers to a worker's own questions begin with.
pub fn inbox(worker: WorkerId) -> String {
    format!("_INBOX.w{worker}")
}

/// All that a worker may write to.
pub fn may_publish(worker: WorkerId) -> Vec<String> {
    let consumer = consumer_of(worker);
    vec![
        here(worker),
        format!("ludus.result.*.{worker}.*"),
        format!("$JS.API.CONSUMER.INFO.{WORK}.{consumer}"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{WORK}.{consumer}"),
        format!("$JS.ACK.{WORK}.{consumer}.>"),
        format!("$JS.API.DIRECT.GET.{MODULES}.ludus.module.{worker}.*.*"),
    ]
}

/// All that a worker may read.
pub fn may_subscribe(worker: WorkerId) -> Vec<String> {
    vec![format!("{}.>", inbox(worker)), notice(worker)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_say_whose_they_are() {
        assert_eq!(of_result(&result("j", WorkerId(7), "a1")), Some((WorkerId(7), "a1")));
        for subject in ["ludus.result.j.7", "ludus.result.j.x.a1", "ludus.result.j.7.a1.b", "ludus.work.7", ""] {
            assert_eq!(of_result(subject), None, "{subject}");
        }
    }
}
