//! A build in progress: the rank that solves each bundle, and the layers in memory.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_retro::Bundle;
use marquis_table::Store;
use rayon::prelude::*;
use web_time::Instant;

use super::Build;
use crate::build::layered::{BundleJob, FinishedLayers, Held as _, Solving};
use crate::build::team::{RankTeam, Shares, share_out};
use crate::error::FileError;
use crate::files::checkpoint::Checkpoint;
use crate::files::sound::check_sound;
use crate::game::method::{Method, MethodCost};
use crate::{Control, EngineError};

/// Bundles of fewer slots are solved in parallel.
const SMALL_SLOTS: u64 = 1 << 20;
/// Ranks solve smaller bundles separately: synchronizing would take more time than it saves.
const JOINT_SLOTS: u64 = 1 << 19;

/// A build in progress.
pub(super) struct BuildSession<'a, S: Solving> {
    build: &'a Build<'a, S>,
    team: RankTeam<'a>,
    store: Store,
    /// Whether files were written since the store was opened.
    is_stale: bool,
    /// The layers that do not require a build.
    pub(super) kept: BTreeSet<S::Layer>,
    /// Layers in memory, within the budget.
    held: S::Held,
    /// Bytes for cells.
    budget: u64,
    /// Slots that are finished, by any rank.
    done: AtomicU64,
    /// Slots that this rank solved.
    pub(super) own: AtomicU64,
    deadline: Option<Instant>,
    control: &'a Control<'a>,
}

impl<'a, S: Solving> BuildSession<'a, S> {
    /// Starts a build with nothing solved yet.
    ///
    /// * `budget`: bytes for cells.
    pub(super) fn begin(
        build: &'a Build<'a, S>,
        budget: u64,
        deadline: Option<Instant>,
        control: &'a Control<'a>,
        team: RankTeam<'a>,
    ) -> Result<Self, EngineError> {
        let store = build.open()?;
        let looked = Cell::new(0);
        let is_mine = |_: &Path| team.is_mine(looked.replace(looked.get() + 1));
        check_sound(&store, &is_mine, control)?;
        let kept = build.kept(&store);
        let (held, done, own) = (S::Held::default(), AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { build, team, store, is_stale: false, kept, held, budget, done, own, deadline, control })
    }

    /// Solves bundles that do not lead to each other, and writes their files.
    ///
    /// # Errors
    /// Like those of a build.
    pub(super) fn wave(&mut self, wave: &[&Bundle<S::Layer>]) -> Result<(), EngineError> {
        let mut open: Vec<&Bundle<S::Layer>> = Vec::new();
        for &bundle in wave {
            if bundle.layers.iter().all(|layer| self.kept.contains(layer)) {
                if self.team.is_first() {
                    self.build.checkpoint(bundle).remove();
                }
                self.done.fetch_add(bundle.slots(), Relaxed);
            } else {
                open.push(bundle);
            }
        }
        let Shares { mut alone, joint } = self.shares(&open);
        let solved = self.alone(alone.swap_remove(self.team.peers.rank().index()));
        self.team.together(solved)?;
        // The others have written files, too.
        self.is_stale = true;
        joint.into_iter().try_for_each(|bundle| self.joint(bundle))
    }

    /// Distributes bundles over the ranks; the result is the same on all ranks.
    fn shares<'b>(&self, open: &[&'b Bundle<S::Layer>]) -> Shares<&'b Bundle<S::Layer>> {
        let (layers, ranks) = (&self.build.layers, self.team.size() as u64);
        let fits = |bundle: &Bundle<S::Layer>| {
            layers.bytes_among(bundle, ranks).is_some_and(|bytes| bytes <= self.budget)
        };
        let is_large = |bundle: &Bundle<S::Layer>| bundle.slots() >= JOINT_SLOTS;
        let joins = |bundle: &Bundle<S::Layer>| is_large(bundle) && fits(bundle);
        let must_join =
            |bundle: &Bundle<S::Layer>| ranks > 1 && self.build.bytes_without_strips(bundle) > self.budget;
        share_out(open, self.team.size(), Bundle::slots, joins, must_join)
    }

    /// Solves a bundle together with all other ranks.
    fn joint(&mut self, bundle: &Bundle<S::Layer>) -> Result<(), EngineError> {
        self.held.keep(&|layer| bundle.below.contains(&layer));
        let loaded = bundle.below.iter().try_for_each(|&layer| self.load(layer));
        self.team.together(loaded)?;
        let checkpoint = self.build.checkpoint(bundle);
        let shared = self.build.layers.bytes_among(bundle, self.team.size() as u64);
        let method = shared.map_or_else(|| self.method(bundle).method, |_| Method::Ranks);
        let job = self.job(&checkpoint, method);
        let solved = self.build.layers.solve_among(bundle, &self.held, &job, self.team.peers);
        self.team.together(solved)?;
        if self.team.is_first() {
            checkpoint.remove();
        }
        self.is_stale = true;
        self.done.fetch_add(bundle.slots(), Relaxed);
        self.own.fetch_add(bundle.slots() / self.team.size() as u64, Relaxed);
        Ok(())
    }

    /// Solves bundles that do not lead to each other, without other ranks.
    fn alone(&mut self, mut open: Vec<&Bundle<S::Layer>>) -> Result<(), EngineError> {
        while !open.is_empty() {
            let together = self.side_by_side(&open);
            let rest = open.split_off(together);
            self.solve(&open)?;
            open = rest;
        }
        Ok(())
    }

    /// The finished layers, each with the fingerprint of its table.
    pub(super) fn tables(&self) -> Vec<(String, String)> {
        let table = |layer: S::Layer| {
            let found = self.build.layers.find(&self.store, layer);
            let print = found.and_then(|table| table.header().streams.first()).map(|stream| stream.content);
            let print = print.map_or_else(|| "none".to_owned(), |print| print.to_string());
            (self.build.layers.id(layer).path().display().to_string(), print)
        };
        self.build.plan.layers().map(table).collect()
    }

    /// The number of first bundles to solve at a time: small ones that fit into the budget, or one.
    fn side_by_side(&self, open: &[&Bundle<S::Layer>]) -> usize {
        let (mut slots, mut bytes) = (0, 0);
        let fits = |bundle: &&&Bundle<S::Layer>| {
            slots += bundle.slots();
            bytes += self.method(bundle).memory_bytes;
            slots <= SMALL_SLOTS && bytes <= self.budget
        };
        open.iter().take_while(fits).count().max(1)
    }

    fn solve(&mut self, bundles: &[&Bundle<S::Layer>]) -> Result<(), EngineError> {
        self.make_room(bundles);
        let below: BTreeSet<S::Layer> =
            bundles.iter().flat_map(|bundle| bundle.below.iter().copied()).collect();
        if S::HOLDS_BELOW {
            for layer in below {
                self.load(layer)?;
            }
        } else {
            self.refresh()?;
        }
        let solved: Result<Vec<_>, EngineError> =
            bundles.par_iter().map(|bundle| self.bundle(bundle)).collect();
        self.is_stale = true;
        for layers in solved? {
            self.held.take(layers);
        }
        Ok(())
    }

    /// Releases layers that these bundles do not lead to, if the budget requires it.
    fn make_room(&mut self, bundles: &[&Bundle<S::Layer>]) {
        if self.bytes_with(bundles) > self.budget {
            self.held.keep(&|layer| bundles.iter().any(|bundle| bundle.below.contains(&layer)));
        }
    }

    /// The bytes of some bundles while they are solved, and of held layers that they do not lead to.
    fn bytes_with(&self, bundles: &[&Bundle<S::Layer>]) -> u64 {
        let layers = &self.build.layers;
        let is_other = |layer: &S::Layer| !bundles.iter().any(|bundle| bundle.below.contains(layer));
        let others: u64 =
            self.held.layers().into_iter().filter(is_other).map(|layer| layers.slots(layer)).sum();
        let needed: u64 = bundles.iter().map(|bundle| self.method(bundle).memory_bytes).sum();
        others * layers.bytes_a_slot() + needed
    }

    /// How a bundle is solved by one rank.
    fn method(&self, bundle: &Bundle<S::Layer>) -> MethodCost {
        self.build.method(bundle, self.budget)
    }

    /// Looks for the files that were written since the store was opened.
    fn refresh(&mut self) -> Result<(), EngineError> {
        if self.is_stale {
            self.store = self.build.open()?;
            self.is_stale = false;
        }
        Ok(())
    }

    /// Loads a finished layer from its file, unless it is in memory.
    fn load(&mut self, layer: S::Layer) -> Result<(), EngineError> {
        if self.held.has(layer) {
            return Ok(());
        }
        if self.is_stale {
            self.store = self.reopened(layer)?;
            self.is_stale = false;
        }
        let layers = &self.build.layers;
        let id = layers.id(layer);
        let table = layers.find(&self.store, layer).ok_or_else(|| {
            let full = self.build.site.out.join(id.path());
            FileError::unexpected(full, "the finished layer", "no usable file", "build again")
        })?;
        id.expect_slots(table)?;
        let source = FinishedLayers { store: &self.store, control: self.control };
        layers.read(layer, table, source, &mut self.held)
    }

    fn job<'b>(&'b self, checkpoint: &'b Checkpoint, method: Method) -> BundleJob<'b> {
        BundleJob {
            out: self.build.site.out,
            store: &self.store,
            method,
            checkpoint,
            deadline: self.deadline,
            control: self.control,
            done: &self.done,
            total: self.build.plan.slots(),
        }
    }

    /// Reopens the folder, with a layer that a rank on another machine may have just written.
    fn reopened(&self, layer: S::Layer) -> Result<Store, EngineError> {
        let open = || self.build.open().map(|store| (self.build.layers.find(&store, layer).is_some(), store));
        let complete = || open().ok().filter(|(has_it, _)| *has_it).map(|(_, store)| store);
        self.team.patiently(complete).map_or_else(|| self.build.open(), Ok)
    }

    /// Solves a bundle and writes its files; the result is the part of it that is worth holding.
    fn bundle(&self, bundle: &Bundle<S::Layer>) -> Result<S::Held, EngineError> {
        let checkpoint = self.build.checkpoint(bundle);
        let job = self.job(&checkpoint, self.method(bundle).method);
        let held = self.build.layers.solve(bundle, &self.held, &job)?;
        checkpoint.remove();
        self.done.fetch_add(bundle.slots(), Relaxed);
        self.own.fetch_add(bundle.slots(), Relaxed);
        Ok(held)
    }
}
