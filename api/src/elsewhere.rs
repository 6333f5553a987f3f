//! Questions that may have to wait for tables elsewhere: on threads of their own, so that nobody else waits with them.

use std::sync::Arc;
use std::time::Duration;

use marquis_engine::MemorySize;

use crate::config::Config;
use crate::faults::Faults;
use crate::pool::{Pool, Standing};
use crate::search::Searches;

/// The places for questions about tables that lie elsewhere, as many as there are threads, and a queue before each.
pub(crate) struct Elsewhere {
    /// Look-ups, which wait for a server and take next to no time beside that.
    pub(crate) looking_up: Searches,
    /// Searches of games with such tables, which may wait in their midst.
    pub(crate) searches: Searches,
}

impl Elsewhere {
    /// None where no tables lie elsewhere.
    ///
    /// * `memory`: of one search.
    /// * `patience`: how long a question may wait for a thread.
    ///
    /// # Errors
    /// The system gives no more threads.
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
            let pool = Pool::new(name, threads, config.queue, Standing::Equal)?;
            Ok::<_, std::io::Error>(Searches::new(pool, memory, patience, Arc::clone(faults)))
        };
        let looking_up = place("elsewhere", config.elsewhere_threads)?;
        Ok(Some(Self { looking_up, searches: place("far-search", config.search_threads)? }))
    }
}
