//! The memory of a proof search.

use marquis_proof::{Disk, Settings};

use crate::Limits;

/// The default memory of a search.
const SEARCH_BYTES: u64 = 2 << 30;
/// The memory of a search of less than a second.
pub(crate) const SEARCH_BYTES_AT_LEAST: u64 = 16 << 20;
/// An upper bound of the bytes that a search writes per node.
const SEARCH_BYTES_A_NODE: u64 = 64;
/// An upper bound of the bytes that a search writes per second.
const SEARCH_BYTES_A_SECOND: u64 = 64 << 20;

/// The memory and the threads of a search: at most the memory that its time or nodes suffice to fill.
pub(crate) fn search_settings(limits: &Limits) -> Settings {
    let filled = limits.time.map_or(u64::MAX, |time| {
        SEARCH_BYTES_AT_LEAST.saturating_add(SEARCH_BYTES_A_SECOND.saturating_mul(time.as_secs()))
    });
    let filled = filled.min(limits.nodes.map_or(u64::MAX, |nodes| {
        SEARCH_BYTES_AT_LEAST.saturating_add(SEARCH_BYTES_A_NODE.saturating_mul(nodes))
    }));
    let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    let settings = Settings::within(bytes(search_bytes(limits).min(filled)), limits.threads_allowed());
    // The table is allocated at once; a proof grows as needed and may use the rest.
    Settings { proof_bytes: bytes(search_bytes(limits)) - settings.table_bytes, ..settings }
}

/// The same for concurrent searches, one thread each, that share the table.
pub(crate) fn job_settings(limits: &Limits) -> Settings {
    let Settings { table_bytes, proof_bytes, .. } = search_settings(limits);
    Settings { table_bytes, proof_bytes: proof_bytes / limits.threads_allowed().max(1), threads: 1 }
}

/// The disk for proofs that do not fit the memory; `None` if it may not be used.
pub(crate) fn scratch_disk(limits: &Limits) -> Option<Disk> {
    let bytes = limits.disk_bytes();
    (bytes > 0).then(|| Disk::new(std::env::temp_dir(), bytes))
}

/// The memory that a search may take, if it has time to fill it.
pub(crate) fn search_bytes(limits: &Limits) -> u64 {
    limits.memory.map_or(SEARCH_BYTES, |memory| memory.0)
}
