//! Limits for all processes of a jail together, by a control group of their
//! own, where the kernel lets us make one.
//!
//! Elsewhere the limits of each process are all there is. A group that ran out
//! of memory is told by the kernel's own count, so that it is the source's
//! doing, while a machine that ran out of memory is not.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use super::Bounds;
use super::start::user;
use crate::build::folder::drawn_name;

const CONTROLLERS: &str = "cgroup.subtree_control";

/// The group of one jail. It goes away with this.
pub struct Group(PathBuf);

impl Group {
    /// A new group, where groups can be made.
    pub fn new(bounds: &Bounds) -> io::Result<Option<Group>> {
        static PARENT: OnceLock<Option<PathBuf>> = OnceLock::new();
        let parent = PARENT.get_or_init(|| {
            let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
            let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
            candidates(&mounts, &own).into_iter().find(|folder| can_limit(folder))
        });
        parent.as_ref().map(|parent| Group::make(parent, bounds)).transpose()
    }

    fn make(parent: &Path, bounds: &Bounds) -> io::Result<Group> {
        let folder = parent.join(format!("jail-{}", drawn_name()?));
        fs::create_dir(&folder)?;
        let group = Group(folder);
        group.set("memory.max", bounds.memory)?;
        // Bubblewrap has a process there too.
        group.set("pids.max", bounds.processes + 1)?;
        // Kernels without swap, and old ones, do not have these.
        let _ = group.set("memory.swap.max", 0);
        let _ = group.set("memory.oom.group", 1);
        Ok(group)
    }

    pub fn add(&self, process: i32) -> io::Result<()> {
        fs::write(self.0.join("cgroup.procs"), process.to_string())
    }

    /// Whether one of its processes was ended because the group, and not the
    /// machine, had no memory left.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.0.join("memory.events")).unwrap_or_default();
        let count = |name: &str| {
            let counts = events.lines().filter_map(|line| line.split_once(' '));
            counts.filter(|(key, _)| *key == name).find_map(|(_, count)| count.trim().parse::<u64>().ok())
        };
        // Kills by the machine count as kills here too, but the group was then
        // never at its own limit.
        count("oom_kill") > Some(0) && count("oom") > Some(0)
    }

    fn set(&self, name: &str, value: u64) -> io::Result<()> {
        fs::write(self.0.join(name), value.to_string())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The last process may not be gone altogether.
        for _ in 0..100 {
            match fs::remove_dir(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                // An empty group that stays harms nobody.
                _ => return,
            }
        }
    }
}

/// The groups below which we may make some: our own, and the one above if
/// it was handed to our user. Root could make them anywhere, and does not.
fn candidates(mounts: &str, own: &str) -> Vec<PathBuf> {
    let mount = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let place = fields.next()?;
        (fields.next()? == "cgroup2").then_some(place)
    });
    let path = own.lines().find_map(|line| line.strip_prefix("0::/"));
    let (Some(mount), Some(path)) = (mount, path) else { return Vec::new() };
    let own = Path::new(mount).join(path);
    let above = own.parent().filter(|above| !path.is_empty() && is_handed_to_us(above)).map(Path::to_owned);
    std::iter::once(own).chain(above).collect()
}

fn is_handed_to_us(folder: &Path) -> bool {
    let us = user().filter(|user| *user != 0);
    us.is_some() && fs::metadata(folder).ok().map(|found| found.uid()) == us
}

/// Whether groups below this one can have limits of memory and of processes.
fn can_limit(folder: &Path) -> bool {
    let has_both = || {
        let on = fs::read_to_string(folder.join(CONTROLLERS)).unwrap_or_default();
        ["memory", "pids"].iter().all(|name| on.split_whitespace().any(|one| one == *name))
    };
    let turn_on = || fs::write(folder.join(CONTROLLERS), "+memory +pids").is_ok();
    let can_make = || Group::make(folder, &Bounds::COMPILER).is_ok();
    (has_both() || (turn_on() && has_both())) && can_make()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_of_our_own_are_considered() {
        let mounts = "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        let own = "4:memory:/elsewhere\n0::/system.slice/judge.service\n";
        // The one above is not there, and so not ours.
        assert_eq!(candidates(mounts, own), [Path::new("/sys/fs/cgroup/unified/system.slice/judge.service")]);
        assert_eq!(candidates(mounts, "0::/\n"), [Path::new("/sys/fs/cgroup/unified/")]);
        assert_eq!(candidates(mounts, "4:memory:/elsewhere\n"), Vec::<PathBuf>::new());
        assert_eq!(candidates("cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n", own), Vec::<PathBuf>::new());
    }

    #[test]
    fn groups_need_both_controllers() {
        let folder = tempfile::tempdir().unwrap();
        let check = |on: &str| {
            fs::write(folder.path().join(CONTROLLERS), on).unwrap();
            let has = || fs::read_to_string(folder.path().join(CONTROLLERS)).unwrap();
            // A plain file takes what it is told, which is not what a kernel says.
            (can_limit(folder.path()), has() == on)
        };
        assert_eq!(check("cpu memory pids\n"), (true, true));
        for on in ["hugetlb\n", "memory\n", "pids memory_recursiveprot\n"] {
            assert_eq!(check(on), (false, false), "{on}");
        }
        assert!(!can_limit(&folder.path().join("absent")));
    }

    #[test]
    fn limits_are_set_and_the_kernel_is_asked_what_happened() {
        let folder = tempfile::tempdir().unwrap();
        let group = Group::make(folder.path(), &Bounds { memory: 5000, processes: 7, ..Bounds::COMPILER }).unwrap();
        group.add(42).unwrap();
        let read = |name: &str| fs::read_to_string(group.0.join(name)).unwrap();
        assert_eq!(
            ["memory.max", "pids.max", "cgroup.procs", "memory.swap.max"].map(read),
            ["5000", "8", "42", "0"].map(str::to_owned)
        );
        let after = |events: &str| {
            fs::write(group.0.join("memory.events"), events).unwrap();
            group.ran_out_of_memory()
        };
        assert!(!after("low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n"));
        assert!(after("low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 1\n"));
        assert!(!after("low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\n"));
        assert!(!after(""));
    }
}
