//! Requests that may wait for remote tables run on separate threads, so that no other request waits with them.

use std::sync::Arc;
use std::time::Duration;

use marquis_wire::MemorySize;

use crate::config::Config;
use crate::faults::Faults;
use crate::pool::{Pool, Priority};
use crate::search::Searches;

/// The thread pools for requests about remote tables, each with a queue.
pub(crate) struct RemotePools {
    /// Look-ups, which wait for a server and take hardly any time otherwise.
    pub(crate) looking_up: Searches,
    /// Searches of games with remote tables, which may wait midway.
    pub(crate) searches: Searches,
}

impl RemotePools {
    /// `None` if there are no remote tables.
    ///
    /// * `memory`: of one search.
    /// * `patience`: how long a request may wait for a thread.
    ///
    /// # Errors
    /// The system cannot create more threads.
    pub(crate) fn of(
        config: &Config,
        memory: MemorySize,
        patience: Duration,
        faults: &Arc<Faults>,
    ) -> std::io::Result<Option<Self>> {
        if config.addresses().next().is_none() {
            return Ok(None);
        }
        let place = |name: &str, threads: usize| {
            let pool = Pool::new(name, threads, config.queue, Priority::Equal)?;
            Ok::<_, std::io::Error>(Searches::new(pool, memory, patience, Arc::clone(faults)))
        };
        let looking_up = place("elsewhere", config.elsewhere_threads)?;
        Ok(Some(Self { looking_up, searches: place("far-search", config.search_threads)? }))
    }
}
