//! Proved values of a search match an exhaustive solution, for any evaluation at the leaves.

use marquis_core::{Game, Hashed, Immobile, Score, Value};
use marquis_eval::{Evaluate, Leaning};
use marquis_games::beads::BeadGame;
use marquis_games::squinch::Squinch;
use marquis_games::{Flowish, Squeeze, Squish, Swish};
use marquis_play::{Budget, Guide, NoOracle, Oracle, Proved, Searcher, Team};
use marquis_retro::exhaustive::{self, Solved};

/// Random leaves: the worst case for a proof.
#[derive(Clone)]
struct Noise;

impl<G: Hashed> Evaluate<G> for Noise {
    type State = ();
    fn see(&self, _: &G, _: &G::Position) {}
    fn follow(&self, _: &G, _: (&G::Position, &()), _: &G::Position, (): &mut ()) {}
    fn leaning(&self, game: &G, position: &G::Position, (): &()) -> Leaning {
        Leaning::new((game.key(position) % 3001) as i32 - 1500)
    }
}

/// No move ordering; every fifth move is noisy.
#[derive(Clone)]
struct Blind;

impl<G: Hashed> Guide<G> for Blind {
    const REPEATS: bool = true;
    const LOOKS_PAST: u8 = 3;
    fn kind(&self, game: &G, position: &G::Position, mv: G::Move) -> usize {
        game.key(&game.play(position, mv)) as usize % 64
    }
    fn is_noisy(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        game.key(&game.play(position, mv)).is_multiple_of(5)
    }
}

/// Knows every other position, and the plies for half of them.
struct Half<'a, G: Hashed>(&'a Solved<G>);

impl<G: Hashed> Clone for Half<'_, G> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<G: Hashed> Oracle<G> for Half<'_, G> {
    fn score(&self, game: &G, position: &G::Position) -> Option<Score> {
        assert!(game.over(position).is_none(), "{position:?}: nobody asks after the end of a game");
        let lot = game.key(position).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62;
        let score = self.0.score(position).filter(|_| lot > 1)?;
        Some(match (lot, score) {
            (3, Score::Win(_)) => Score::Win(Proved::UNCOUNTED),
            (3, Score::Loss(_)) => Score::Loss(Proved::UNCOUNTED),
            _ => score,
        })
    }
}

/// Claims the opposite of the truth.
struct Liar<'a, G: Hashed>(Half<'a, G>);

impl<G: Hashed> Clone for Liar<'_, G> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: Hashed> Oracle<G> for Liar<'_, G> {
    fn score(&self, game: &G, position: &G::Position) -> Option<Score> {
        Some(match self.0.score(game, position)? {
            Score::Win(plies) => Score::Loss(plies),
            Score::Draw => Score::Draw,
            Score::Loss(plies) => Score::Win(plies),
        })
    }
}

fn solved<G: Hashed>(game: &G, root: G::Position) -> Solved<G> {
    let stop = std::sync::atomic::AtomicBool::new(false);
    let limits = marquis_retro::SolveLimits::until(&stop);
    exhaustive::solve(game, root, &limits, &mut |_| {}).expect("a small game")
}

/// The budget for each position: nodes, and bytes of the table.
#[derive(Clone, Copy)]
struct Means {
    nodes: u64,
    bytes: usize,
}

/// Searches every `step`th reachable position and checks the proved values.
///
/// * Result: the number of proved positions.
fn check<G: Hashed>(game: &G, root: G::Position, step: usize, nodes: u64, bytes: usize) -> usize {
    check_with(1, game, root, step, nodes, bytes)
}

/// Like `check`, by a team of `threads` threads.
fn check_with<G: Hashed>(
    threads: usize,
    game: &G,
    root: G::Position,
    step: usize,
    nodes: u64,
    bytes: usize,
) -> usize {
    check_told(NoOracle, threads, game, &solved(game, root), root, step, Means { nodes, bytes })
}

/// Like `check_with`, by a team with an oracle.
fn check_told<G: Hashed, O: Oracle<G> + Clone + Send>(
    oracle: O,
    threads: usize,
    game: &G,
    solved: &Solved<G>,
    root: G::Position,
    step: usize,
    Means { nodes, bytes }: Means,
) -> usize {
    let threads = std::num::NonZero::new(threads).expect("one thread at least");
    let mut searcher = Team::new(Searcher::with_oracle(Noise, Blind, oracle, bytes), threads);
    let mut proved = 0;
    let mut seen = 0;
    for (&position, score) in solved.iter().step_by(step) {
        if game.over(&position).is_some() {
            continue;
        }
        seen += 1;
        // Some of them come after others, whose repetition is a draw.
        let past = [root];
        let thought = searcher.think(game, &past, &position, &Budget::nodes(nodes), &mut |_| {});
        let Some(found) = thought.proved else { continue };
        proved += 1;
        assert_eq!(found.value, score.value(), "{position:?}");
        assert_ne!(found.value, Value::Draw);
        let plies = score.plies().expect("a decided game");
        assert!(found.within >= plies, "{position:?}: within {} of {plies}", found.within);
        let best = game.play(&position, thought.line[0]);
        let after = solved.score(&best).or_else(|| ended(game, &best)).expect("a successor was solved");
        assert_eq!(after.before_move().value(), score.value(), "{position:?}: {:?}", thought.line[0]);
    }
    assert!(seen > 0);
    proved
}

fn ended<G: Game>(game: &G, position: &G::Position) -> Option<Score> {
    game.over(position).map(|over| Score::finished(over.outcome.for_mover(game.turn(position))))
}

#[test]
fn what_is_proved_of_squish_is_so() {
    let (game, root) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    assert!(check(&game, root, 3, 3000, 1 << 20) > 1000);
    // Nineteen of its positions are drawn by repetition.
    let (game, root) = Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").expect("a position");
    assert!(check(&game, root, 5, 3000, 1 << 12) > 1000);
}

#[test]
fn what_is_proved_of_flowish_is_so() {
    let (game, root) = Flowish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    assert!(check(&game, root, 31, 3000, 1 << 18) > 500);
}

#[test]
fn what_is_proved_of_rooks_and_beads_is_so_also_where_many_positions_are_drawn() {
    let text = "w1w/4/1ooo1/4/b1b w 0-0 2";
    let (game, root): (Swish, _) = BeadGame::parse(text, Immobile::Loss).expect("a position");
    assert!(check(&game, root, 331, 2000, 1 << 18) > 300);
    let (game, root): (Squeeze, _) = BeadGame::parse(text, Immobile::Loss).expect("a position");
    assert!(check(&game, root, 331, 2000, 1 << 16) > 200);
}

#[test]
fn what_is_proved_of_squinch_is_so() {
    let game = Squinch::new(3, 3).expect("a board");
    let root = game.start(1).expect("a start");
    assert!(check(&game, root, 31, 3000, 1 << 18) > 300);
}

#[test]
fn what_several_threads_prove_together_is_so() {
    let (game, root) = Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").expect("a position");
    assert!(check_with(2, &game, root, 29, 6000, 1 << 12) > 150);
    let (game, root) = Flowish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    assert!(check_with(3, &game, root, 131, 9000, 1 << 16) > 100);
    let text = "w1w/4/1ooo1/4/b1b w 0-0 2";
    let (game, root): (Swish, _) = BeadGame::parse(text, Immobile::Loss).expect("a position");
    assert!(check_with(2, &game, root, 931, 4000, 1 << 14) > 100);
}

/// On one thread and on two: half of the positions as an oracle gives more proofs, none of them wrong.
fn half_known<G: Hashed>(game: &G, root: G::Position, step: usize, means: Means) {
    let solved = solved(game, root);
    let alone = check_told(NoOracle, 1, game, &solved, root, step, means);
    let told = check_told(Half(&solved), 1, game, &solved, root, step, means);
    assert!(told > alone, "{told} with an oracle, {alone} without");
    let together = check_told(Half(&solved), 2, game, &solved, root, step, means);
    assert!(together > alone, "{together} with an oracle, {alone} without");
}

#[test]
fn what_is_proved_with_half_of_the_positions_known_is_so() {
    let (game, root) = Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").expect("a position");
    half_known(&game, root, 7, Means { nodes: 300, bytes: 1 << 14 });
    let (game, root) = Flowish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    half_known(&game, root, 61, Means { nodes: 300, bytes: 1 << 14 });
    let text = "w1w/4/1ooo1/4/b1b w 0-0 2";
    let (game, root): (Swish, _) = BeadGame::parse(text, Immobile::Loss).expect("a position");
    half_known(&game, root, 631, Means { nodes: 300, bytes: 1 << 14 });
    let (game, root): (Squeeze, _) = BeadGame::parse(text, Immobile::Loss).expect("a position");
    half_known(&game, root, 631, Means { nodes: 300, bytes: 1 << 14 });
    let game = Squinch::new(3, 3).expect("a board");
    half_known(&game, game.start(1).expect("a start"), 61, Means { nodes: 300, bytes: 1 << 14 });
}

#[test]
#[should_panic(expected = "assertion `left == right` failed")]
fn what_is_proved_rests_on_the_oracle() {
    let (game, root) = Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").expect("a position");
    let solved = solved(&game, root);
    check_told(Liar(Half(&solved)), 1, &game, &solved, root, 7, Means { nodes: 300, bytes: 1 << 14 });
}

#[test]
fn each_move_is_looked_at_once_by_several_threads_and_what_is_proved_of_it_is_so() {
    let (game, root) = Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").expect("a position");
    let solved = solved(&game, root);
    let threads = std::num::NonZero::new(3).expect("three threads");
    let oracle = Half(&solved);
    let mut team = Team::new(Searcher::with_oracle(Noise, Blind, oracle, 1 << 14), threads);
    let mut proved = 0;
    for (&position, _) in solved.iter().step_by(53).filter(|(position, _)| game.over(position).is_none()) {
        let mut legal = Vec::new();
        game.moves(&position, &mut legal);
        let candidates = team.candidates(&game, &[], &position, &Budget::nodes(4000));
        assert_eq!(candidates.len(), legal.len(), "{position:?}");
        for mv in legal {
            let own = candidates.iter().find(|own| own.mv == mv).expect("every move");
            let Some(found) = own.thought.proved else { continue };
            let after = game.play(&position, mv);
            let score = solved.score(&after).or_else(|| ended(&game, &after)).expect("it was solved");
            assert_eq!(found.value, score.before_move().value(), "{position:?}: {mv:?}");
            proved += 1;
        }
    }
    assert!(proved > 100, "{proved}");
}
