//! The remedy for a limit that ended a search.

use marquis_engine::Limits;
use marquis_wire::MemorySize;
use marquis_wire::ending::{SearchEnd, Unproved};

/// A hint with the arguments to try next; `None` if there is nothing to suggest.
///
/// * `unproved`: the belief of the search, and the memory to try next.
/// * `limits`: the limits of the search.
pub(crate) fn hint(
    (ended, unproved): (Option<SearchEnd>, Option<&Unproved>),
    limits: &Limits,
) -> Option<String> {
    let ended = ended?;
    let argument = match (ended, unproved) {
        (SearchEnd::Memory, Some(unproved)) => {
            let fewer = if limits.threads == Some(1) { "" } else { ", or --threads 1: threads share it" };
            let disk = unproved.try_disk.map(|bytes| format!("--disk {}, or ", MemorySize(bytes)));
            let disk = disk.unwrap_or_default();
            Some(format!("{disk}--memory {}{fewer}", MemorySize(unproved.try_memory)))
        }
        (SearchEnd::Time, _) => {
            limits.time.map(|time| format!("--seconds {}", (4.0 * time.as_secs_f64()).max(1.0)))
        }
        (SearchEnd::Nodes, _) => {
            limits.nodes.and_then(|nodes| Some(format!("--nodes {}", nodes.checked_mul(4)?.max(1000))))
        }
        _ => None,
    };
    let argument = argument.map(|argument| format!(", such as {argument}")).unwrap_or_default();
    Some(format!("hint: what would help: {}{argument}", ended.remedy()?))
}
