//! Maps from leanings to chances, and their reliability: fitted on some games, measured on others.

use std::collections::BTreeMap;

use marquis_core::{Game, Value};
use marquis_eval::{Calibration, Inputs as _, Leaning};
use marquis_train::Lesson;
use marquis_train::record::{Opinion, TrainingGame};

/// A position of a game that was not proved when it was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    /// The estimate.
    pub(crate) leaning: Leaning,
    /// The result of the game, for the player to move.
    pub(crate) value: Value,
    /// The number of plies since the opening.
    pub(crate) ply: usize,
    /// The phase of the game.
    pub(crate) phase: u8,
}

impl Seen {
    /// The result: 1 a win.
    const fn result(&self) -> f64 {
        match self.value {
            Value::Win => 1.0,
            Value::Draw => 0.5,
            Value::Loss => 0.0,
        }
    }
}

/// The positions of a game that its players could only estimate.
///
/// * `judge`: the estimate of a position, given the previous positions and the player's own estimate.
pub(crate) fn seen<L: Lesson>(
    lesson: &L,
    record: &TrainingGame,
    judge: &mut impl FnMut(
        &L::Game,
        &[<L::Game as Game>::Position],
        &<L::Game as Game>::Position,
        Leaning,
    ) -> Leaning,
) -> Vec<Seen> {
    let Ok((rules, mut position)) = lesson.parse(&record.start) else { return Vec::new() };
    let (mut past, mut legal, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for (ply, &(number, opinion)) in record.moves.iter().enumerate() {
        if rules.over(&position).is_some() {
            break;
        }
        if let Opinion::Estimate(leaning) = opinion {
            let leaning = judge(&rules, &past, &position, leaning);
            let value = record.outcome.for_mover(rules.turn(&position));
            found.push(Seen { leaning, value, ply, phase: L::Sense::phase(&rules, &position) });
        }
        legal.clear();
        rules.moves(&position, &mut legal);
        let Some(&mv) = legal.get(usize::from(number)) else { break };
        past.push(position);
        position = rules.play(&position, mv);
    }
    found
}

/// The flattest slope, which still preserves the order of positions.
const FLATTEST: f64 = 0.01;

/// Phases with fewer positions share the common map.
const POSITIONS_OF_A_PHASE: usize = 2_000;

/// The map for all positions, and one for each phase that has enough of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByPhase {
    /// For phases without a map.
    pub(crate) all: Calibration,
    /// By the number of the phase.
    pub(crate) phases: BTreeMap<u8, Calibration>,
}

impl ByPhase {
    /// The maps that fit these positions best.
    pub(crate) fn fit(seen: &[Seen]) -> Self {
        let mut phases: BTreeMap<u8, Vec<Seen>> = BTreeMap::new();
        for one in seen {
            phases.entry(one.phase).or_default().push(*one);
        }
        phases.retain(|_, seen| seen.len() >= POSITIONS_OF_A_PHASE);
        Self { all: fit(seen), phases: phases.into_iter().map(|(phase, seen)| (phase, fit(&seen))).collect() }
    }

    /// The expected result for a position's leaning.
    pub(crate) fn expected(&self, seen: &Seen) -> f64 {
        self.phases.get(&seen.phase).unwrap_or(&self.all).wdl(seen.leaning).expected()
    }
}

/// The map that fits these positions best: the slope by the likelihood of the results, the draws by least squares.
pub(crate) fn fit(seen: &[Seen]) -> Calibration {
    let mut slope = 1.0_f64;
    // Newton's method; the problem is convex, and short steps prevent divergence.
    for _ in 0..50 {
        let (mut down, mut bend) = (0.0, 1e-9);
        for one in seen {
            let odds = f64::from(one.leaning.hundredths()) / 100.0;
            let chance = 1.0 / (1.0 + (-slope * odds).exp());
            down += (chance - one.result()) * odds;
            bend += chance * (1.0 - chance) * odds * odds;
        }
        slope = (slope - (down / bend).clamp(-0.5, 0.5)).max(FLATTEST);
    }
    let (mut drawn, mut even) = (0.0, 1e-9);
    for one in seen {
        let expected = 1.0 / (1.0 + (-slope * f64::from(one.leaning.hundredths()) / 100.0).exp());
        let undecided = 4.0 * expected * (1.0 - expected);
        drawn += undecided * f64::from(u8::from(one.value == Value::Draw));
        even += undecided * undecided;
    }
    Calibration { slope, draws: (drawn / even).clamp(0.0, 1.0) }
}

/// Bins of a [`Reliability`].
pub(crate) const BINS: usize = 10;

/// Positions whose expected result lies in one tenth of the range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bin {
    /// The number of positions.
    pub(crate) count: usize,
    /// The mean expected result: 1 is a win.
    pub(crate) said: f64,
    /// The mean actual result.
    pub(crate) came: f64,
}

/// The difference between the expected and the actual results of positions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reliability {
    /// The mean squared difference, by position.
    pub(crate) brier: f64,
    /// The mean difference per bin, weighted by positions: the expected calibration error.
    pub(crate) error: f64,
    /// By expected result, ascending.
    pub(crate) bins: [Bin; BINS],
}

/// The reliability of expected results.
///
/// * `said`: the expected result of each position, with the position and its actual result.
pub(crate) fn reliability(said: impl IntoIterator<Item = (f64, Seen)>) -> Reliability {
    let mut bins = [Bin::default(); BINS];
    let (mut count, mut brier) = (0, 0.0);
    for (expected, seen) in said {
        count += 1;
        brier += (expected - seen.result()).powi(2);
        let bin = &mut bins[((expected * BINS as f64) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.said += expected;
        bin.came += seen.result();
    }
    let all = f64::from(count.max(1));
    let mut error = 0.0;
    for bin in bins.iter_mut().filter(|bin| bin.count > 0) {
        error += (bin.said - bin.came).abs() / all;
        bin.said /= bin.count as f64;
        bin.came /= bin.count as f64;
    }
    Reliability { brier: brier / all, error, bins }
}

/// Maps fitted on each half of the games, applied to the other half.
///
/// * `games`: positions, game by game.
/// * Result: expected results of all positions, by maps that were fitted without their games.
pub(crate) fn held_out(games: &[Vec<Seen>]) -> Vec<(f64, Seen)> {
    let half = |odd: usize| -> Vec<Seen> {
        games
            .iter()
            .enumerate()
            .filter(|(game, _)| game % 2 == odd)
            .flat_map(|(_, seen)| seen)
            .copied()
            .collect()
    };
    let halves = [half(0), half(1)];
    let maps = [ByPhase::fit(&halves[1]), ByPhase::fit(&halves[0])];
    let said =
        maps.iter().zip(&halves).flat_map(|(map, half)| half.iter().map(|seen| (map.expected(seen), *seen)));
    said.collect()
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Random results that follow a map.
    fn drawn(map: &Calibration, count: usize) -> Vec<Seen> {
        let mut random = SmallRng::seed_from_u64(4);
        let one = |ply| {
            let leaning = Leaning::new(random.random_range(-400..=400));
            let wdl = map.wdl(leaning);
            let at = random.random::<f64>();
            let value = if at < wdl.win {
                Value::Win
            } else if at < wdl.win + wdl.draw {
                Value::Draw
            } else {
                Value::Loss
            };
            Seen { leaning, value, ply, phase: 0 }
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn the_map_that_made_the_results_is_found_again_and_can_be_believed() {
        let map = Calibration { slope: 0.6, draws: 0.3 };
        let games: Vec<Vec<Seen>> = drawn(&map, 100_000).chunks(20).map(<[Seen]>::to_vec).collect();
        let found = fit(&games.concat());
        assert!((found.slope - map.slope).abs() < 0.02, "{found:?}");
        assert!((found.draws - map.draws).abs() < 0.02, "{found:?}");
        let fitted = reliability(held_out(&games));
        assert!(fitted.error < 0.01, "{fitted:?}");
        assert_eq!(fitted.bins.iter().map(|bin| bin.count).sum::<usize>(), 100_000);
        // Uncalibrated, the same leanings are overconfident.
        let plain = games.iter().flatten().map(|seen| (seen.leaning.expected(), *seen));
        let plain = reliability(plain);
        assert!(plain.error > 0.05 && plain.brier > fitted.brier, "{plain:?}");
    }

    /// Two phases with different maps: one map for both is wrong for each.
    #[test]
    fn each_phase_has_its_own_map_where_there_are_positions_enough() {
        let maps = [Calibration { slope: 0.4, draws: 0.3 }, Calibration { slope: 1.6, draws: 0.0 }];
        let mut seen = Vec::new();
        for (phase, map) in (0..).zip(&maps) {
            seen.extend(drawn(map, 60_000).into_iter().map(|one| Seen { phase, ..one }));
        }
        let rare = Seen { phase: 2, ..seen[0] };
        seen.push(rare);
        let found = ByPhase::fit(&seen);
        for (phase, map) in (0..).zip(&maps) {
            assert!((found.phases[&phase].slope - map.slope).abs() < 0.05, "{found:?}");
            assert!((found.phases[&phase].draws - map.draws).abs() < 0.05, "{found:?}");
        }
        assert!(!found.phases.contains_key(&2), "{found:?}");
        assert_eq!(found.expected(&rare), found.all.wdl(rare.leaning).expected());
        let of = |phase| move |one: &&Seen| one.phase == phase;
        for phase in [0, 1] {
            let own = reliability(seen.iter().filter(of(phase)).map(|one| (found.expected(one), *one)));
            let one_map = |one: &Seen| (found.all.wdl(one.leaning).expected(), *one);
            let together = reliability(seen.iter().filter(of(phase)).map(one_map));
            assert!(own.error < 0.01 && together.error > 0.03, "{own:?}, {together:?}");
        }
    }

    #[test]
    fn figures_of_a_few_positions_are_those_by_hand() {
        let seen = |value| Seen { leaning: Leaning::new(0), value, ply: 0, phase: 0 };
        let said = [
            (0.75, seen(Value::Win)),
            (0.75, seen(Value::Loss)),
            (0.5, seen(Value::Draw)),
            (1.0, seen(Value::Win)),
        ];
        let found = reliability(said);
        assert!((found.brier - (0.0625 + 0.5625) / 4.0).abs() < 1e-12);
        assert!((found.error - 2.0 * 0.25 / 4.0).abs() < 1e-12);
        assert_eq!((found.bins[7].count, found.bins[5].count, found.bins[9].count), (2, 1, 1));
    }
}
