//! Layers divided among several ranks, here threads: same result as one rank alone, also if they stop and others
//! resume.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use marquis_cluster::threads::ThreadPeer;
use marquis_cluster::{Peers, Ranks};
use marquis_core::{Plies, Retract, Rowed};
use marquis_games::beads::Leap;
use marquis_games::unification::{Approach, Flow, Material};
use marquis_retro::layered::strips::{
    Exchange, KeptStrips, PartKeeper, RankedBundle, Share, StripCut, StripNumber, solve_bundle_among,
};
use marquis_retro::layered::{solve_bundle, solve_bundle_forward};
use marquis_retro::{BundlePlan, Layer, LayerCells, Layers, SolveLimits, Stopped};

use crate::beads::{self, parsed};
use crate::common::quiet;
use crate::layered::{index, materials};
use crate::rows::random_below;
use crate::track::Track;

/// A rank with many small batches.
struct Small {
    peer: ThreadPeer,
    most: usize,
}

impl Exchange for Small {
    fn rank(&self) -> usize {
        self.peer.rank().index()
    }

    fn ranks(&self) -> usize {
        self.peer.ranks().get() as usize
    }

    fn most_bytes(&self) -> usize {
        self.most
    }

    fn swap(&self, batches: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stopped> {
        // A message may be longer than the limit here.
        assert!(
            batches.iter().all(|batch| batch.len() <= self.most.max(8)),
            "{:?}",
            batches.iter().map(Vec::len)
        );
        self.peer.swap(batches).map_err(|_| Stopped::RankLost)
    }

    fn largest(&self, own: u64) -> Result<u64, Stopped> {
        self.peer.largest(own).map_err(|_| Stopped::RankLost)
    }
}

/// A checkpoint of all ranks: the ply, bytes a cell, and the cells of each rank's strips.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    ply: Plies,
    bytes_each: usize,
    cells: BTreeMap<usize, Vec<u8>>,
}

impl Parts {
    /// Reads the wanted strips, whichever rank saved them.
    fn read(
        &self,
        cut: &StripCut,
        wanted: &dyn Fn(StripNumber) -> bool,
        take: &mut dyn FnMut(StripNumber, &[u8]),
    ) -> bool {
        let ranks = self.cells.len();
        let mut rest: Vec<&[u8]> = self.cells.values().map(Vec::as_slice).collect();
        for strip in cut.strips() {
            let extent = cut.extent(strip);
            let bytes = (extent.slots.end - extent.slots.start) as usize * self.bytes_each;
            let Some((own, others)) = rest[strip.0 % ranks].split_at_checked(bytes) else { return false };
            rest[strip.0 % ranks] = others;
            if wanted(strip) {
                take(strip, own);
            }
        }
        true
    }
}

/// Saves the parts of all ranks, and stops the work after some plies.
struct Keeper<'a> {
    rank: usize,
    parts: &'a Mutex<Parts>,
    stop: &'a AtomicBool,
    plies_left: &'a AtomicUsize,
}

impl PartKeeper for Keeper<'_> {
    /// The first rank counts plies.
    fn is_due(&self) -> bool {
        if self.rank == 0 && self.plies_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
        false
    }

    fn keep(&self, _: &StripCut, ply: Plies, bytes_each: usize, cells: Vec<u8>) -> Result<(), Stopped> {
        let mut parts = self.parts.lock().unwrap();
        (parts.ply, parts.bytes_each) = (ply, bytes_each);
        parts.cells.insert(self.rank, cells);
        Ok(())
    }
}

/// Shares begin at multiples of this many slots.
const WHOLE: u64 = 64;

/// A layer assembled from the shares of the ranks, in order.
fn whole<L: Copy>(shares: &[&Share<L>]) -> Layer<L> {
    let (mut next, mut cells) = (0, LayerCells::Narrow(Vec::new()));
    let fair = shares.iter().map(|share| share.cells.len()).sum::<usize>() / shares.len();
    for share in shares {
        assert_eq!(share.slots, next..next + share.cells.len() as u64);
        assert!(share.slots.is_empty() || next % WHOLE == 0, "{:?}", share.slots);
        assert!(share.cells.len().abs_diff(fair) <= WHOLE as usize + shares.len(), "{:?}", share.slots);
        next = share.slots.end;
        match (&mut cells, &share.cells) {
            (LayerCells::Narrow(all), LayerCells::Narrow(own)) => all.extend(own),
            (LayerCells::Wide(all), LayerCells::Wide(own)) => all.extend(own),
            (all, own) => *all = own.clone(),
        }
    }
    Layer { layer: shares[0].layer, cells }
}

/// The set-up of ranks that solve a bundle.
#[derive(Clone, Copy)]
struct Way<'a> {
    ranks: u32,
    /// Bytes of a batch.
    most: usize,
    kept: Option<&'a Parts>,
    /// The number of plies after which they stop.
    plies: usize,
}

impl Way<'_> {
    fn of(ranks: u32, most: usize) -> Self {
        Self { ranks, most, kept: None, plies: usize::MAX }
    }
}

/// The layers at the end, or the checkpoint if the ranks stopped.
fn among<G: Retract + Rowed>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    way: Way<'_>,
) -> Result<Vec<Layer<G::Layer>>, Parts> {
    let (stop, parts) = (AtomicBool::new(false), Mutex::default());
    let plies_left = AtomicUsize::new(way.plies);
    let one = |peer: ThreadPeer| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let exchange = Small { peer, most: way.most };
        let keeper = Keeper { rank: exchange.rank(), parts: &parts, stop: &stop, plies_left: &plies_left };
        let limits = SolveLimits::until(&stop);
        let read = |cut: &StripCut,
                    wanted: &dyn Fn(StripNumber) -> bool,
                    take: &mut dyn FnMut(StripNumber, &[u8])| {
            way.kept.is_some_and(|kept| kept.read(cut, wanted, take))
        };
        let kept =
            way.kept.map(|kept| KeptStrips { ply: kept.ply, bytes_each: kept.bytes_each, read: &read });
        let (exchange, keeper): (&dyn Exchange, &dyn PartKeeper) = (&exchange, &keeper);
        let limits = &limits;
        let among = RankedBundle { lower, exchange, kept, keeper, whole: WHOLE, limits, progress: &quiet };
        pool.install(|| solve_bundle_among(game, layer, &among))
    };
    let ended: Vec<_> = thread::scope(|scope| {
        let peers = ThreadPeer::some(Ranks::new(way.ranks).unwrap());
        let running: Vec<_> = peers.into_iter().map(|peer| scope.spawn(|| one(peer))).collect();
        running.into_iter().map(|rank| rank.join().unwrap()).collect()
    });
    let mut ranks = Vec::new();
    for rank in ended {
        match rank {
            Ok(own) => ranks.push(own),
            Err(stopped) => {
                assert_eq!(stopped, Stopped::Interrupted);
                return Err(parts.into_inner().unwrap());
            }
        }
    }
    let layer = |number: usize| whole(&ranks.iter().map(|own| &own[number]).collect::<Vec<_>>());
    Ok((0..ranks[0].len()).map(layer).collect())
}

fn check_all<G: Retract + Rowed>(game: &G, wanted: Vec<G::Layer>, ranks: u32, most: usize) {
    let (stop, mut layers) = (AtomicBool::new(false), Layers::default());
    for bundle in BundlePlan::new(game, wanted).bundles {
        let first = bundle.layers[0];
        let expected = solve_bundle(game, first, &layers, &SolveLimits::until(&stop), &quiet).unwrap();
        assert_eq!(among(game, first, &layers, Way::of(ranks, most)).as_ref(), Ok(&expected), "{first:?}");
        expected.into_iter().for_each(|own| layers.insert(own.layer, own.cells));
    }
}

#[test]
fn layers_of_many_ranks_are_those_of_one() {
    check_all(&index::<Approach>(2, 6), materials(2, 6), 3, 1 << 20);
    check_all(&index::<Approach>(3, 4), materials(3, 4), 2, 100);
    check_all(&index::<Flow>(3, 3), materials(3, 3), 5, 1000);
    let (swish, _) = parsed::<Leap>("w2/4/1oo2/4/1bb w", marquis_core::Immobile::Loss);
    let layers = beads::layers(&swish);
    check_all(&swish, layers, 3, 1 << 14);
}

#[test]
fn random_scores_below_are_carried_upwards_by_many_ranks_alike() {
    let stop = AtomicBool::new(false);
    for (mover, opponent, seed) in [(3, 3, 1), (2, 4, 2), (3, 4, 3)] {
        let (game, layer) = (index::<Approach>(3, 4), Material { mover, opponent });
        let below = random_below(&game, layer, seed);
        let expected =
            solve_bundle_forward(&game, layer, &below, &SolveLimits::until(&stop), &quiet).unwrap();
        for (ranks, most) in [(1, 1 << 20), (2, 7), (3, 1 << 12), (4, 1 << 20)] {
            let found = among(&game, layer, &below, Way::of(ranks, most));
            assert_eq!(found.as_ref(), Ok(&expected), "{layer:?}, {ranks} ranks, {most} bytes");
        }
    }
}

#[test]
fn many_ranks_begin_again_with_wide_cells() {
    let (track, none, stop) = (Track { cells: 90 }, Layers::default(), AtomicBool::new(false));
    let whole = solve_bundle_forward(&track, (), &none, &SolveLimits::until(&stop), &quiet).unwrap();
    for ranks in [1, 2, 3] {
        assert_eq!(among(&track, (), &none, Way::of(ranks, 1000)).as_ref(), Ok(&whole), "{ranks} ranks");
    }
}

#[test]
fn other_ranks_go_on_where_some_were_stopped() {
    let stop = AtomicBool::new(false);
    let (game, layer) = (index::<Approach>(3, 4), Material { mover: 3, opponent: 4 });
    let below = random_below(&game, layer, 4);
    let expected = solve_bundle_forward(&game, layer, &below, &SolveLimits::until(&stop), &quiet).unwrap();
    for (plies, [ranks, others]) in [(1, [2, 3]), (4, [3, 2]), (9, [3, 1]), (12, [1, 4])] {
        let way = Way::of(ranks, 1 << 10);
        let parts = among(&game, layer, &below, Way { plies, ..way }).unwrap_err();
        assert_eq!((parts.cells.len() as u32, parts.ply), (ranks, Plies(plies as u16)));
        let resumed = among(&game, layer, &below, Way { kept: Some(&parts), ..Way::of(others, 1 << 10) });
        assert_eq!(resumed.as_ref(), Ok(&expected), "{ranks} ranks, then {others}");
        // An incomplete checkpoint is not used, and the work starts again.
        let mut short = parts.clone();
        short.cells.get_mut(&0).unwrap().pop();
        let again = among(&game, layer, &below, Way { kept: Some(&short), ..Way::of(others, 1 << 10) });
        assert_eq!(again.as_ref(), Ok(&expected), "{ranks} ranks, then {others} from the beginning");
    }
}

/// The wide cells of a game of many plies, stopped in the middle.
#[test]
fn wide_cells_are_gone_on_with_by_other_ranks() {
    let (track, none, stop) = (Track { cells: 90 }, Layers::default(), AtomicBool::new(false));
    let whole = solve_bundle_forward(&track, (), &none, &SolveLimits::until(&stop), &quiet).unwrap();
    let parts = among(&track, (), &none, Way { plies: 300, ..Way::of(2, 1000) }).unwrap_err();
    assert_eq!(parts.bytes_each, 2);
    assert_eq!(among(&track, (), &none, Way { kept: Some(&parts), ..Way::of(3, 1000) }).as_ref(), Ok(&whole));
}
