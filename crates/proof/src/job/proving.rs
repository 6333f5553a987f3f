//! Turns the answer of a search into a strategy that the checker has replayed.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::Builder;

use marquis_core::Hashed;

use super::{Lane, LaneState, LaneWorker, SearchJob, SharedSearch, TableSearch, WAIT};
use crate::checker::{ClaimedBytes, Foregone, Promise, ReplayHalt, holds};
use crate::disk::Disk;
use crate::knowledge::World;
use crate::limits::NodeMeter;
use crate::listed::ProofRoom;
use crate::safe::extract_safe;
use crate::settle::Settler;
use crate::stream::{StreamReader, stream};
use crate::trace::trace_win;
use crate::win::extract_win;
use crate::{Ended, Guarantee, Heuristic, Oracle, Question, Strategy};

/// A replay takes at most 1/`STREAM_SHARE` of the memory for proofs during the trace.
const STREAM_SHARE: usize = 3;

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> SearchJob<'_, '_, G, O, H> {
    /// Replays a win in a lane while its bytes are written. Returns the bytes if they hold; `None` if they do not, if
    /// the search stops, or if the positions take too much memory.
    fn replayed_stream(
        &self,
        shared: &TableSearch<'_, '_, G, O, H>,
        lane: Lane,
        mut stream: StreamReader,
    ) -> Option<Vec<u8>> {
        let World { game, oracle, .. } = self.world;
        let crowded = Cell::default();
        let mut share = shared.pool.share(&crowded);
        let mut meter = NodeMeter::new(self.limits, shared.account);
        meter.attend(&shared.settled[lane.root]);
        let (holder, promise, foregone) = (lane.prover, Promise::Win, Foregone::Believed);
        let claim = ClaimedBytes { game, holder, promise, bytes: &mut stream, oracle, foregone };
        let held = holds(claim, &self.roots[lane.root], &mut |met| {
            meter.check()?;
            // The trace has about as many positions.
            let is_too_large = met.bytes() > shared.pool.bytes() / STREAM_SHARE;
            if is_too_large { Err(Ended::Memory) } else { share.resize(met.bytes()) }
        });
        held.is_ok().then(|| stream.into_received())
    }
}

impl<'w, 'a, G, O, H> LaneWorker<'w, 'a, '_, G, O, H>
where
    G: Hashed,
    O: Oracle<G>,
    H: Heuristic<G>,
{
    /// Turns the search's belief into a replayed strategy, for either answer.
    pub(super) fn prove(&mut self, lane: Lane, yes: bool) -> Result<(), Ended> {
        self.board().standing(lane).idle.clear();
        loop {
            let crowded = Cell::default();
            let strategy = self.strategy(lane, yes, &crowded);
            if strategy.as_ref().is_err_and(|&ended| ended == Ended::Memory) && crowded.get() {
                // The proof that holds the memory will release all of it.
                self.wait_for_memory()?;
                continue;
            }
            return self.settle(lane, strategy);
        }
    }

    /// Room for one proof.
    ///
    /// * `crowded`: set if it is too small because another proof holds the memory.
    pub(super) fn room<'c>(&self, crowded: &'c Cell<bool>) -> ProofRoom<'c>
    where
        'w: 'c,
    {
        ProofRoom { share: self.shared.pool.share(crowded), disk: self.job.disk }
    }

    fn wait_for_memory(&mut self) -> Result<(), Ended> {
        while !self.shared.pool.is_free() {
            std::thread::sleep(WAIT);
            self.meter.check()?;
        }
        Ok(())
    }

    /// Closes a lane and keeps its replayed answer, if any.
    pub(super) fn settle(
        &mut self,
        lane: Lane,
        replayed: Result<Option<Strategy<G>>, Ended>,
    ) -> Result<(), Ended> {
        let mut board = self.board();
        if replayed.as_ref().is_err_and(|&ended| ended == Ended::Memory) {
            // A proof that does not fit in memory must not block the other lanes.
            let trouble = self.job.disk.and_then(Disk::trouble);
            board.give_up(lane, self.shared.pool.bytes(), trouble);
            return Ok(());
        }
        board.standing(lane).stage = LaneState::Closed;
        if let Some(strategy) = replayed? {
            self.keep(&mut board, lane, strategy);
        }
        Ok(())
    }

    /// A replayed strategy that answers a lane; `None` if the checker refuses it.
    ///
    /// * `crowded`: set if it fails because another proof holds the memory.
    fn strategy(
        &mut self,
        lane: Lane,
        yes: bool,
        crowded: &Cell<bool>,
    ) -> Result<Option<Strategy<G>>, Ended> {
        let (world, table) = (self.job.world, self.shared.table);
        let position = &self.job.roots[lane.root];
        let mut settler = Settler::new(world, table, Question { prover: lane.prover });
        if yes {
            if let Some(traced) = self.traced(lane, &mut settler, crowded)? {
                return Ok(Some(traced));
            }
        } else {
            let room = self.room(crowded);
            if let Some(safe) = extract_safe(world, position, &mut settler, &mut self.meter, room)? {
                return self.replayed(safe, crowded);
            }
        }
        let room = self.room(crowded);
        let won = extract_win(world, position, &mut settler, &mut self.meter, room)?;
        self.replayed(won, crowded)
    }

    /// The prover's win by the table's moves, replayed.
    fn traced(
        &mut self,
        lane: Lane,
        settler: &mut Settler<'a, G, O, H>,
        crowded: &Cell<bool>,
    ) -> Result<Option<Strategy<G>>, Ended> {
        let has_help = {
            let board = self.board();
            board.proving() < self.job.settings.threads
                && board.awaits_proof(|root| self.job.turn(root), self.job.enough)
        };
        let helped = has_help.then(|| self.traced_with_help(lane, settler));
        let (traced, is_replayed) = match helped {
            // One after the other, trace and replay take half the memory.
            None | Some(Err(Ended::Memory)) => {
                let (root, mut room) = (&self.job.roots[lane.root], self.room(crowded));
                (trace_win(self.job.world, root, settler, &mut self.meter, &mut room, None)?, false)
            }
            Some(traced) => traced?,
        };
        match traced {
            Some(strategy) if !is_replayed => self.replayed(strategy, crowded),
            traced => Ok(traced),
        }
    }

    /// The prover's win by the table's moves, and whether another thread has replayed it meanwhile; all in memory.
    fn traced_with_help(
        &mut self,
        lane: Lane,
        settler: &mut Settler<'a, G, O, H>,
    ) -> Result<(Option<Strategy<G>>, bool), Ended> {
        let Self { job, shared, .. } = *self;
        let (crowded, root) = (Cell::default(), &job.roots[lane.root]);
        let mut room = ProofRoom { disk: None, ..self.room(&crowded) };
        let (writer, reader) = stream();
        let (traced, replayed) = std::thread::scope(|scope| {
            let helper = Builder::new().spawn_scoped(scope, || job.replayed_stream(shared, lane, reader));
            let traced = trace_win(job.world, root, settler, &mut self.meter, &mut room, Some(writer));
            let replayed = helper.map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            (traced, replayed.ok().flatten())
        });
        let traced = traced?;
        let is_replayed =
            traced.as_ref().zip(replayed).is_some_and(|(strategy, bytes)| strategy.bytes() == bytes);
        Ok((traced, is_replayed))
    }

    fn keep(&self, board: &mut SharedSearch<'a, G, O, H>, lane: Lane, strategy: Strategy<G>) {
        let gathered = &mut board.gathered[lane.root];
        gathered.bounds = gathered.bounds.and(strategy.bounds(self.job.world.game));
        gathered.after = self.shared.begun.elapsed();
        if strategy.kind == Guarantee::Win {
            // It implies that the same player never loses.
            gathered.strategies.clear();
        }
        gathered.strategies.push(strategy);
        if gathered.bounds.value().is_some() {
            self.shared.settled[lane.root].store(true, Relaxed);
        }
        if board.is_enough(self.job.enough) {
            self.shared.account.halt();
        }
    }

    /// The strategy, if the independent checker accepts it.
    ///
    /// * `crowded`: set if it fails because another proof holds the memory.
    pub(super) fn replayed(
        &mut self,
        strategy: Strategy<G>,
        crowded: &Cell<bool>,
    ) -> Result<Option<Strategy<G>>, Ended> {
        let World { game, oracle, .. } = self.job.world;
        let mut room = self.room(crowded);
        let beside = strategy.bytes().len();
        let (holder, promise) = (strategy.holder, strategy.kind.into());
        let bytes = &mut strategy.bytes();
        let claim = ClaimedBytes { game, holder, promise, bytes, oracle, foregone: Foregone::Believed };
        let meter = &mut self.meter;
        let replayed = holds(claim, &strategy.root, &mut |met| {
            meter.check()?;
            room.make(met, beside)
        });
        match replayed {
            Ok(seen) => Ok(Some(strategy.keeping(seen.promise))),
            Err(ReplayHalt::Refused(_)) => Ok(None),
            Err(ReplayHalt::Ended(ended)) => Err(ended),
        }
    }
}

#[cfg(test)]
mod tests;
