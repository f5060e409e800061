//! How much memory the machine has, or the container lets the process have.

use std::{fs, path::PathBuf};

/// When nothing tells the size: that of a small machine.
const UNKNOWN: u64 = 2 << 30;

/// The memory that the process can have, in bytes: the machine's, or less by the limit of a control group.
pub(super) fn memory() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = files(&groups).into_iter().filter_map(|file| of_group(&fs::read_to_string(file).ok()?));
    limits.chain(machine).min().unwrap_or(UNKNOWN)
}

/// `MemTotal` of `/proc/meminfo`.
fn of_machine(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// A group's limit. `max`, and the huge number of an older kernel, mean none.
fn of_group(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|limit| *limit > 0 && *limit < 1 << 60)
}

/// The files that may hold a limit: of the process's group and of those above it, in both versions of control groups.
fn files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            named if named.split(',').any(|name| name == "memory") => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let mut at = Some(path.trim_matches('/'));
        while let Some(group) = at {
            files.push([root, group, file].iter().collect());
            at = match group.rsplit_once('/') {
                Some((above, _)) => Some(above),
                None if group.is_empty() => None,
                None => Some(""),
            };
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_tells_its_memory() {
        assert_eq!(of_machine("MemTotal:       24689764 kB\nMemFree: 1 kB\n"), Some(24_689_764 * 1024));
        assert_eq!(of_machine("MemFree: 1 kB\n"), None);
        assert!(memory() > 64 << 20);
    }

    #[test]
    fn a_group_may_have_no_limit() {
        assert_eq!(of_group("536870912\n"), Some(512 << 20));
        assert_eq!((of_group("max\n"), of_group("9223372036854771712\n"), of_group("")), (None, None, None));
    }

    #[test]
    fn the_groups_above_count_too() {
        let found = files("0::/system.slice/inlay.service\n");
        let of = |path: &str| PathBuf::from(format!("/sys/fs/cgroup/{path}memory.max"));
        assert_eq!(found, [of("system.slice/inlay.service/"), of("system.slice/"), of("")]);
        let old = files("5:cpu,memory:/docker/x\n4:freezer:/\n");
        assert_eq!(old[0], PathBuf::from("/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes"));
        assert_eq!(old.len(), 3);
        assert_eq!(files("0::/\n"), [of("")]);
    }
}
