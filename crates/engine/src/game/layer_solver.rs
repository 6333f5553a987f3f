//! The solvers of layers: by un-moves or by rows, in memory, in strips on disk, or among ranks.

use marquis_core::{Indexed, Retract, Rowed};
use marquis_retro::layered::strips::{
    Failure, RankedBundle, Share, SpillStore, StripSizes, bytes_among, solve_bundle_among, solve_in_strips,
};
use marquis_retro::layered::{Layer, more_bytes_by_rows, solve_bundle_by_rows_from, solve_bundle_from};
use marquis_retro::{BundleSnapshot, Keeper, Layers, SolveLimits, SolveProgress, Stopped};

use super::method::{Method, MethodCost};
use crate::EngineError;

/// The inputs and limits for solving a component of layers.
pub struct Work<'a, L> {
    /// The layers below, finished.
    pub lower: &'a Layers<L>,
    /// The snapshot of an earlier run that was stopped.
    pub kept: Option<BundleSnapshot<L>>,
    /// Keeps snapshots of the unfinished work.
    pub keeper: &'a dyn Keeper<L>,
    /// The limits of the work.
    pub limits: &'a SolveLimits<'a>,
    /// Receives the progress.
    pub progress: &'a (dyn Fn(SolveProgress) + Sync),
}

/// Solves the layers of an index.
pub trait LayerSolver<L>: Sync {
    /// The methods that the component of a layer allows, the fastest first; the layers below are not counted.
    ///
    /// * `memory_bytes`: the memory for them; a method on disk uses all of it.
    fn methods(&self, layer: L, memory_bytes: u64) -> Vec<MethodCost>;

    /// The scores of a component in memory, in the order of [`component`](Indexed::component).
    ///
    /// * `method`: one of [`methods`](Self::methods).
    ///
    /// # Errors
    /// The limit that ended the work.
    fn solve(&self, method: Method, layer: L, work: Work<'_, L>) -> Result<Vec<Layer<L>>, Stopped>;

    /// Solves a component in strips, and passes the finished cells to the spill store.
    ///
    /// # Errors
    /// The limit that ended the work, or an error of the spill store.
    ///
    /// # Panics
    /// If strips are not one of [`methods`](Self::methods).
    fn solve_in_strips(
        &self,
        layer: L,
        sizes: StripSizes,
        spill: &dyn SpillStore<Error = EngineError>,
        work: &Work<'_, L>,
    ) -> Result<(), Failure<EngineError>> {
        let _ = (layer, sizes, spill, work);
        unreachable!("this solver has no strips")
    }

    /// The bytes that one of `ranks` ranks needs to solve a component together with the others, without the layers
    /// below; `None` if that is not possible.
    fn bytes_among(&self, layer: L, ranks: u64) -> Option<u64> {
        let _ = (layer, ranks);
        None
    }

    /// The scores of a component that several ranks solve together, each with a share of each layer; `None` if that
    /// is not possible.
    fn solve_among(&self, layer: L, among: &RankedBundle<'_, L>) -> Option<Result<Vec<Share<L>>, Stopped>> {
        let _ = (layer, among);
        None
    }
}

/// Solves layers by taking moves back, in memory.
pub struct ByUnMoves<'a, G>(pub &'a G);

/// Solves layers row by row: in memory, in strips, or among ranks. Takes moves back if memory is too small for rows.
pub struct ByRows<'a, G>(pub &'a G);

/// The bytes of each cell of a component, and of its copy in a checkpoint.
fn bytes_by_un_moves<G: Indexed>(index: &G, layer: G::Layer) -> u64 {
    2 * index.component(layer).into_iter().map(|layer| index.slots(layer)).sum::<u64>()
}

fn by_un_moves<G: Retract>(
    index: &G,
    layer: G::Layer,
    work: Work<'_, G::Layer>,
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let Work { lower, kept, keeper, limits, progress } = work;
    solve_bundle_from(index, layer, lower, kept, keeper, limits, progress)
}

impl<G: Retract> LayerSolver<G::Layer> for ByUnMoves<'_, G> {
    fn methods(&self, layer: G::Layer, _: u64) -> Vec<MethodCost> {
        vec![MethodCost::in_memory(Method::UnMoves, bytes_by_un_moves(self.0, layer))]
    }

    fn solve(
        &self,
        _: Method,
        layer: G::Layer,
        work: Work<'_, G::Layer>,
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        by_un_moves(self.0, layer, work)
    }
}

impl<G: Retract + Rowed> LayerSolver<G::Layer> for ByRows<'_, G> {
    fn methods(&self, layer: G::Layer, memory_bytes: u64) -> Vec<MethodCost> {
        let un_moves = bytes_by_un_moves(self.0, layer);
        let rows = un_moves.saturating_add(more_bytes_by_rows(self.0, layer));
        let strips = StripSizes::least_bytes(self.0, layer)
            .and_then(|least| StripSizes::within(self.0, layer, least.max(memory_bytes)));
        let strips = strips.map(|sizes| {
            let StripSizes { memory_bytes, spill_bytes: disk_bytes, .. } = sizes;
            MethodCost { method: Method::Strips(sizes), memory_bytes, disk_bytes }
        });
        let in_memory = [(Method::Rows, rows), (Method::UnMoves, un_moves)];
        in_memory
            .map(|(method, bytes)| MethodCost::in_memory(method, bytes))
            .into_iter()
            .chain(strips)
            .collect()
    }

    fn solve(
        &self,
        method: Method,
        layer: G::Layer,
        work: Work<'_, G::Layer>,
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        if method != Method::Rows {
            return by_un_moves(self.0, layer, work);
        }
        let Work { lower, kept, keeper, limits, progress } = work;
        solve_bundle_by_rows_from(self.0, layer, lower, kept, keeper, limits, progress)
    }

    fn solve_in_strips(
        &self,
        layer: G::Layer,
        sizes: StripSizes,
        spill: &dyn SpillStore<Error = EngineError>,
        work: &Work<'_, G::Layer>,
    ) -> Result<(), Failure<EngineError>> {
        let Work { lower, limits, progress, .. } = work;
        solve_in_strips(self.0, layer, lower, sizes, spill, limits, progress)
    }

    fn bytes_among(&self, layer: G::Layer, ranks: u64) -> Option<u64> {
        Some(bytes_among(self.0, layer, ranks))
    }

    fn solve_among(
        &self,
        layer: G::Layer,
        among: &RankedBundle<'_, G::Layer>,
    ) -> Option<Result<Vec<Share<G::Layer>>, Stopped>> {
        Some(solve_bundle_among(self.0, layer, among))
    }
}
