//! Solving everything reachable from a position: listed one by one, or as a small table in memory.

use std::sync::Arc;

use marquis_retro::{SolveLimits, SolveProgress};
use web_time::Instant;

use crate::Progress;
use crate::ask::solve::{EXHAUSTIVE_SHARE, EXHAUSTIVE_STATES, Solver, VAST_STATES};
use crate::game::exact::ExactGame;
use crate::knowledge::reachable::Everything;
use crate::knowledge::sub_tables::SubTable;
use crate::threads::in_pool;

/// The maximum slots of a table for a request: about ten seconds on one thread, as long as the exhaustive solver may
/// list.
const MOST_SLOTS: u64 = 1 << 24;
/// A lower bound of the slots that a thread solves per second.
const SLOTS_A_SECOND: u64 = 500_000;
/// Bytes per slot while a table is built: one or two, and as much again while the finished cells are copied.
const BYTES_A_SLOT: u64 = 4;

/// Why there is no table around a position.
enum NoTable {
    /// It has more slots than the limits allow, or its game has no numbering around a position.
    DoesNotPay,
    /// A limit ended the work.
    Ended,
}

impl<G: ExactGame> Solver<'_, G> {
    /// Solves everything reachable in the cheapest way, if it is small enough and the limits allow.
    ///
    /// Positions are listed if they are few. A table takes one byte per slot and no list of moves. If it has too many
    /// slots, as on a board where hardly anything can move, more positions are listed.
    pub(crate) fn solve_everything(&self, position: &G::Position) -> Option<Everything<G>> {
        let until = self.share_of_time();
        let listed = |states: usize| self.exhaust_until(position, self.states_allowed().min(states), until);
        if let Some(solved) = listed(VAST_STATES) {
            return Some(Everything::Listed(solved));
        }
        match self.build_sub_table(position, until) {
            Ok(table) => Some(Everything::Tabled(table)),
            // A vast game has been listed far enough.
            Err(NoTable::DoesNotPay) if !G::is_vast(self.game, position) => {
                listed(EXHAUSTIVE_STATES).map(Everything::Listed)
            }
            Err(NoTable::DoesNotPay | NoTable::Ended) => None,
        }
    }

    /// Builds the table around a position, and keeps it for later requests.
    ///
    /// * `until`: the deadline.
    fn build_sub_table(
        &self,
        position: &G::Position,
        until: Option<Instant>,
    ) -> Result<Arc<SubTable<G>>, NoTable> {
        let control = self.control;
        let limits =
            SolveLimits { deadline: until, sharing: control.sharing(), ..SolveLimits::until(control.flag()) };
        let phase = format!("a table of everything reachable, {} to move", self.colour_to_move(position));
        let tell = |progress: SolveProgress| {
            let phase = phase.clone();
            let (done, total) = (progress.done, Some(progress.of));
            self.control.tell(&Progress { phase, done, total, bounds: None });
        };
        let build = || SubTable::around(self.game, position, self.slots_allowed(), &limits, &tell);
        let built = match self.limits.threads {
            Some(_) => in_pool(self.limits, || Ok(build())).map_err(|_| NoTable::DoesNotPay)?,
            None => build(),
        };
        let table = Arc::new(built.map_err(|_| NoTable::Ended)?.ok_or(NoTable::DoesNotPay)?);
        self.knowledge.keep_sub_table(&table);
        Ok(table)
    }

    /// The number of slots that the limits of the request allow a table.
    fn slots_allowed(&self) -> u64 {
        let threads = self.limits.threads_allowed() as u64;
        let by_time = self.limits.time.map_or(u64::MAX, |time| {
            u64::try_from(time.as_millis())
                .unwrap_or(u64::MAX)
                .saturating_mul(SLOTS_A_SECOND * threads / 1000 / u64::from(EXHAUSTIVE_SHARE))
        });
        let by_memory = self.limits.memory_bytes() / BYTES_A_SLOT;
        MOST_SLOTS.min(by_time).min(by_memory).min(self.states_allowed() as u64)
    }
}
