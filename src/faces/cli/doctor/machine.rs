//! The machine: descriptors, memory, temporary files, and settings that contradict each other.

use super::Finding;
use crate::ground::config::Settings;
use rustix::process::{Resource, getrlimit};
use std::{env, fs};

/// File descriptors for everything that is no caller's connection.
const DESCRIPTORS_BESIDE: u64 = 512;

/// What a node with few tenants needs.
const LEAST_MEMORY: u64 = 512 << 20;

pub(super) fn check(settings: &Settings) -> Vec<Finding> {
    let most = getrlimit(Resource::Nofile).maximum;
    vec![
        descriptors(most, settings.limits.max_connections),
        memory(&read("/proc/meminfo"), &read("/sys/fs/cgroup/memory.max")),
        temporary(&env::temp_dir()),
        callers(settings),
    ]
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

pub(super) fn descriptors(most: Option<u64>, connections: usize) -> Finding {
    let needed = u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(DESCRIPTORS_BESIDE);
    match most {
        Some(most) if most < needed => Finding::warning(
            "descriptors",
            format!("{most} open files are allowed; INLAY_MAX_CONNECTIONS needs {needed}"),
            "Raise the limit (LimitNOFILE= of the unit, ulimits of the container), or lower INLAY_MAX_CONNECTIONS.",
        ),
        Some(most) => Finding::ok("descriptors", format!("{most} open files are allowed")),
        None => Finding::ok("descriptors", "any number of open files is allowed"),
    }
}

/// By the texts of `/proc/meminfo` and of the control group's limit.
pub(super) fn memory(machine: &str, group: &str) -> Finding {
    let line = machine.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let total = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).map(|kib| kib * 1024);
    let limit = group.trim().parse::<u64>().ok();
    let Some(bytes) = [total, limit].into_iter().flatten().min() else {
        let advice = "Set the settings of memory by hand: half of what the node may use.";
        return Finding::warning("memory", "the size of the machine's memory cannot be read", advice);
    };
    let told = format!("{} MiB{}", bytes >> 20, if limit == Some(bytes) { ", by the limit of the control group" } else { "" });
    if bytes < LEAST_MEMORY {
        let advice = "Give the node at least 512 MiB (MemoryMax=, mem_limit, resources.limits.memory).";
        return Finding::warning("memory", told, advice);
    }
    Finding::ok("memory", told)
}

/// The ways through SSH and proxies to sources keep their sockets in the temporary folder.
pub(super) fn temporary(folder: &std::path::Path) -> Finding {
    let path = folder.join(format!("inlay-doctor-{}", uuid::Uuid::now_v7().simple()));
    match fs::write(&path, "x").and_then(|()| fs::remove_file(&path)) {
        Ok(()) => Finding::ok("temporary files", format!("{} can be written", folder.display())),
        Err(problem) => Finding::problem(
            "temporary files",
            format!("{} cannot be written: {problem}", folder.display()),
            "Mount a writable folder there (a tmpfs where the root is read-only), or set TMPDIR to one.",
        ),
    }
}

pub(super) fn callers(settings: &Settings) -> Finding {
    if settings.hides_clients() {
        return Finding::warning(
            "callers",
            "a proxy seems to stand before the service, and no header names the client: all callers count as one",
            "Set INLAY_CLIENT_ADDRESS_HEADER to the header in which the proxy names the client.",
        );
    }
    Finding::ok("callers", "told apart by their addresses")
}
