//! A long game, with the chances of all its positions.

use marquis_chance::grid::{
    BackupOrder, Band, ChanceCell, Choices, Columns, Destination, Estimates, GridMove, Grids, Half, Layout,
    MaskId,
};

/// Each player walks round a ring: half of the throws lead a place on. If both are at the start, one throw in sixteen
/// ends the game.
pub(crate) struct Ring {
    columns: Columns,
    bands: Vec<Band>,
    all: MaskId,
    at_start: MaskId,
    elsewhere: MaskId,
}

pub(crate) const PLACES: usize = 8;
/// The throws that end the game, that lead on, and that do nothing.
const WEIGHTS: [u32; 3] = [1, 7, 8];
/// The chances of the first and of the second player after ending the game.
const ENDS: [f64; 2] = [0.9, 0.4];

impl Ring {
    pub(crate) fn new() -> Self {
        let mut columns = Columns::new(std::slice::from_ref(&(0..PLACES)));
        let all = columns.add_mask(|_| true);
        let at_start = columns.add_mask(|column| column == 0);
        let elsewhere = columns.add_mask(|column| column != 0);
        let bands = vec![Band { groups: (0..PLACES).map(|row| row..row + 1).collect(), progress: 0 }];
        Self { columns, bands, all, at_start, elsewhere }
    }

    /// Grids with unknown numbers.
    pub(crate) fn grids(&self, order: BackupOrder) -> Grids<'_, u32, 1> {
        let half = |end: f64| {
            let mut plane = Estimates::<u32>::unknown(1, &self.columns.bands());
            plane.set(|_, _| [(end * f64::from(u32::MAX)) as u32]);
            Half::new(self as &dyn Layout, plane.clone(), plane)
        };
        Grids::pair(half(ENDS[0]), half(ENDS[1]), order)
    }
}

/// Makes the chances even everywhere.
pub(crate) fn even(grids: &mut Grids<'_, u32, 1>) {
    grids.set(|_, _, _| [u32::MAX / 2]).expect("room");
}

impl Layout for Ring {
    fn weights(&self) -> &[u32] {
        &WEIGHTS
    }

    fn rows(&self) -> usize {
        PLACES
    }

    fn bands(&self) -> &[Band] {
        &self.bands
    }

    fn column_progress(&self) -> Vec<u64> {
        vec![0]
    }

    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn position_masks(&self, _: usize, out: &mut Vec<MaskId>) {
        out.push(self.all);
    }

    fn choices(&self, row: usize, throw: usize, out: &mut Choices) {
        out.clear();
        let step = |steps: usize| Destination::Turned(((row + steps) % PLACES) as u32);
        let choice = |source: Destination, mask: MaskId| GridMove { source, masks: vec![mask], jumps: None };
        match (throw, row) {
            (0, 0) => {
                out.first.push(choice(Destination::FinishedTurned(0), self.at_start));
                out.first.push(choice(step(1), self.elsewhere));
            }
            (2, _) => out.first.push(choice(step(0), self.all)),
            _ => out.first.push(choice(step(1), self.all)),
        }
    }
}

/// The chances of the player to throw, by player, own place and other place: by plain value iteration.
fn judged() -> Vec<Vec<Vec<f64>>> {
    let mut chances = vec![vec![vec![0.5; PLACES]; PLACES]; 2];
    let positions = || (0..2 * PLACES * PLACES).map(|n| (n % 2, n / 2 % PLACES, n / 2 / PLACES));
    for (player, own, other) in (0..20_000).flat_map(|_| positions()) {
        let on = |steps: usize| 1.0 - chances[1 - player][other][(own + steps) % PLACES];
        let first = if (own, other) == (0, 0) { ENDS[player] } else { on(1) };
        chances[player][own][other] = (first + 7.0 * on(1) + 8.0 * on(0)) / 16.0;
    }
    chances
}

/// How far estimates are from the judge's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Off {
    pub(crate) most: f64,
    /// By how much the first player's estimates are too low, on average.
    pub(crate) lacks: f64,
}

pub(crate) fn off(grids: &Grids<'_, u32, 1>) -> Off {
    let (mut most, mut lacks) = (0.0_f64, 0.0);
    for (player, chances) in judged().iter().enumerate() {
        let plane = grids.plane(player).expect("in memory");
        for (row, chances) in chances.iter().enumerate() {
            for (column, chance) in chances.iter().enumerate() {
                let off = chance - plane.at(row, column)[0].to_f64();
                most = most.max(off.abs());
                lacks += if player == 0 { off } else { -off };
            }
        }
    }
    Off { most, lacks: lacks / (2 * PLACES * PLACES) as f64 }
}
