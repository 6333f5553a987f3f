//! Levels are as weak as intended and deterministic for a seed; teams and candidates stay within their budget.

use std::num::NonZero;
use std::time::{Duration, Instant};

use marquis_core::{Game, Hashed as _};
use marquis_eval::{Evaluate, Leaning};
use marquis_games::Squish;
use marquis_games::hex::Side;
use marquis_games::steps::Step;
use marquis_games::unification::Position;
use marquis_play::{Budget, Guide, Ladder, Level, Searcher, Strength, Team};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

/// A pseudo-random evaluation, from the key.
#[derive(Clone)]
struct Noise;

impl Evaluate<Squish> for Noise {
    type State = ();
    fn see(&self, _: &Squish, _: &Position) {}
    fn follow(&self, _: &Squish, _: (&Position, &()), _: &Position, (): &mut ()) {}
    fn leaning(&self, game: &Squish, position: &Position, (): &()) -> Leaning {
        Leaning::new((game.key(position) % 301) as i32 - 150)
    }
}

#[derive(Clone)]
struct Any;

impl Guide<Squish> for Any {
    const REPEATS: bool = true;
    fn kind(&self, _: &Squish, _: &Position, Step { from, to }: Step) -> usize {
        from.index() * 64 + to.index()
    }
}

fn start() -> (Squish, Position) {
    let game = Squish::new(Side::new(4).expect("a side"));
    (game, game.start())
}

fn searcher() -> Searcher<Squish, Noise, Any> {
    Searcher::new(Noise, Any, 1 << 20)
}

#[test]
fn levels_are_read_as_they_are_written_and_nothing_else_is_one() {
    for level in Level::all() {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert_eq!(Level::all().count(), 8);
    for text in ["0", "9", "", "-1", "1.5", "three", "256", "4294967297"] {
        let error = text.parse::<Level>().expect_err(text);
        assert_eq!(error.to_string(), format!("level {text}: expected a whole number from 1 to 8"));
    }
}

#[test]
fn a_player_takes_moves_as_often_as_the_odds_say() {
    let leanings = [40.0, 90.0, -60.0_f64];
    let strength = Strength::new(1, 90.0);
    let odds = leanings.map(|leaning| (leaning / 90.0).exp());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut taken = [0.0; 3];
    for _ in 0..20_000 {
        taken[strength.pick(leanings, &mut random)] += 1.0 / 20_000.0;
    }
    for (taken, odds_of_it) in taken.iter().zip(odds) {
        let expected = odds_of_it / odds.iter().sum::<f64>();
        assert!((taken - expected).abs() < 0.015, "{taken} for {expected}");
    }
    assert!((0..100).all(|_| Strength::new(1, 0.0).pick(leanings, &mut random) == 1));
}

#[test]
fn higher_levels_look_at_least_as_far_and_err_less() {
    let steps: Vec<Strength> = Level::all().filter_map(|level| Ladder::PLAIN.strength(level)).collect();
    assert_eq!(steps.len(), 7, "nothing holds back the highest");
    assert!(steps.is_sorted_by(|a, b| a.nodes_a_move <= b.nodes_a_move && a.spread > b.spread), "{steps:?}");
    let best = |level| Ladder::PLAIN.pick(level, [1.0, 9.0, 9.0], &mut Xoshiro256PlusPlus::seed_from_u64(1));
    assert_eq!(best(Level::MAX), 1, "the first of the best");
}

#[test]
fn the_same_seed_gives_the_same_move_and_other_seeds_others() {
    let (game, position) = start();
    let budget = Budget::nodes(4000);
    for level in Level::all() {
        let play = |searcher: &mut Searcher<_, _, _>, seed| {
            searcher.play(level, seed, &game, &[], &position, &budget)
        };
        // One of them has searched other positions before.
        let mut used = searcher();
        used.think(&game, &[], &game.play(&position, play(&mut searcher(), 5).mv), &budget, &mut |_| {});
        if level < Level::MAX {
            assert_eq!(play(&mut used, 5), play(&mut searcher(), 5), "level {level}");
        }
        let moves: std::collections::HashSet<_> =
            (0..30).map(|seed| format!("{:?}", play(&mut searcher(), seed).mv)).collect();
        if level == Level::MIN {
            assert!(moves.len() > 5, "{moves:?}");
        } else if level == Level::MAX {
            assert_eq!(moves.len(), 1);
        }
    }
}

#[test]
fn a_level_looks_at_no_more_positions_than_it_or_its_caller_allows() {
    let (game, position) = start();
    let mut legal = Vec::new();
    game.moves(&position, &mut legal);
    for level in Level::all() {
        for allowed in [1, 500, 1_000_000] {
            let Some(Strength { nodes_a_move: nodes, .. }) = Ladder::PLAIN.strength(level) else { continue };
            let mut searcher = searcher();
            let candidate = searcher.play(level, 1, &game, &[], &position, &Budget::nodes(allowed));
            // Each move gets at least one position, and one more is searched before the limit is noticed.
            let share = nodes.min(allowed / legal.len() as u64) + 1;
            assert!(
                candidate.thought.nodes <= share + 1,
                "level {level}: {} of {share}",
                candidate.thought.nodes
            );
            assert!(legal.contains(&candidate.mv));
        }
    }
}

#[test]
fn each_candidate_has_its_share_of_the_time() {
    let (game, position) = start();
    let begun = Instant::now();
    let budget = Budget::until(begun + Duration::from_millis(600));
    let candidates = searcher().candidates(&game, &[], &position, &budget);
    for candidate in &candidates {
        assert!(candidate.thought.depth > 0, "{candidate:?}");
    }
    let nodes = candidates.iter().map(|candidate| candidate.thought.nodes);
    assert!(nodes.clone().max() < nodes.sum::<u64>().checked_div(2), "{candidates:?}");
}

#[test]
fn a_team_of_one_thinks_as_the_search_alone_and_more_keep_to_their_positions() {
    let (game, position) = start();
    let budget = Budget::nodes(30_000);
    let alone = searcher().think(&game, &[], &position, &budget, &mut |_| {});
    let team = |threads| {
        let mut team = Team::new(searcher(), NonZero::new(threads).expect("a thread"));
        team.think(&game, &[], &position, &budget, &mut |_| {})
    };
    assert_eq!(team(1), alone);
    assert_eq!(team(1), team(1));
    let three = team(3);
    assert!(three.nodes <= 30_000 + 3, "{three:?}");
    assert!(three.nodes > 10_000, "{three:?}");
}
