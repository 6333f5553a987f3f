//! Results from a start: games of the engine against itself, compared with its estimate of the start.

use std::collections::HashSet;

use marquis_core::{Game, Player};
use marquis_eval::Estimator;
use marquis_play::arena::{Choice, Contestant, Ends, Thinker, halves, play};
use marquis_play::{Budget, Candidate, Searcher, Team};
use marquis_sense::lessons::LessonVisitor;
use marquis_sense::{Schooled, Weights};
use marquis_train::Lesson;
use marquis_train::generations::mixed;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::kept::{Kept, KeptError};
use crate::players::{TABLE, estimator};

/// Plays games of the engine against itself from the start of a board, with small variations.
#[derive(Clone, Debug, clap::Args)]
pub struct Start {
    /// `squish:4`, `flowish:4`, `squinch:6`.
    pub game: String,
    /// Games.
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Positions that the engine searches per move, less up to a quarter at random.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Positions that it searches for its estimate of the start.
    #[arg(long, default_value_t = 1_000_000)]
    said: u64,
    /// First plies with random nearly best moves.
    #[arg(long, default_value_t = 2)]
    plies: u32,
    /// The maximum distance of a nearly best move from the best one, in hundredths.
    #[arg(long, default_value_t = 15.0)]
    nearly: f64,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Stores each result in this file, and resumes from it.
    #[arg(long, value_name = "FILE")]
    keep: Option<std::path::PathBuf>,
}

/// The search of a lesson's game.
type BoardSearcher<L> = Searcher<<L as Lesson>::Game, Estimator<<L as Lesson>::Sense>, <L as Lesson>::Sense>;

/// The engine with a number of positions that varies from move to move.
struct Varied<C> {
    thinker: C,
    random: SmallRng,
    nodes: u64,
}

impl<G, E, H> Contestant<G> for Varied<Thinker<G, E, H>>
where
    G: marquis_core::Hashed,
    E: marquis_eval::Evaluate<G> + Clone + Send,
    H: marquis_play::Guide<G> + Clone + Send,
{
    fn new_game(&mut self) {
        self.thinker.new_game();
    }

    fn choose(&mut self, game: &G, past: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        self.thinker.nodes = self.nodes - self.random.random_range(0..=self.nodes / 4);
        self.thinker.choose(game, past, position)
    }
}

impl LessonVisitor for Start {
    type Output = Result<(), KeptError>;

    fn visit<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let searcher = || Searcher::new(estimator(lesson, "weights"), L::Sense::default(), TABLE);
        let (rules, start) = lesson.begin(&mut SmallRng::seed_from_u64(0));
        let thought = searcher().think(&rules, &[], &start, &Budget::nodes(self.said), &mut |_| {});
        let wdl = Weights::embedded().calibration(&rules, &start).wdl(thought.leaning);
        let Self { game, nodes, plies, nearly, seed, .. } = &self;
        let title =
            format!("{game} from its start, {nodes} nodes, {plies} plies within {nearly}, seed {seed}");
        let mut kept =
            self.keep.as_ref().map_or_else(|| Ok(Kept::default()), |path| Kept::open(path, &title))?;
        let (mut player, mut begins) = (searcher(), HashSet::new());
        let first = rules.turn(&start);
        let mut score = 0;
        for number in 0..self.games {
            let mut random = SmallRng::seed_from_u64(mixed(&[self.seed, number]));
            let position = self.vary::<L>(&rules, start, &mut player, &mut random);
            begins.insert(position);
            let halves = match kept.get(number) {
                Some(halves) => halves,
                None => {
                    let halves = self.play_out(lesson, &position, &searcher, &mut random, first);
                    kept.put(number, halves)?;
                    halves
                }
            };
            score += halves;
        }
        let games = self.games as f64;
        let share = score as f64 / (2.0 * games);
        let off = 1.96 * (share * (1.0 - share) / games).sqrt();
        println!(
            "{game}: the first player scores {share:.3} ± {off:.3} in {games} games with {} beginnings; at the start the engine \
             says {:.3} after {} nodes{}",
            begins.len(),
            wdl.expected(),
            thought.nodes,
            thought.proved.map_or(String::new(), |proved| format!(", proved: {}", proved.value))
        );
        Ok(())
    }
}

impl Start {
    /// The position after the first plies, each a random nearly best move.
    fn vary<L: Lesson>(
        &self,
        rules: &L::Game,
        start: <L::Game as Game>::Position,
        player: &mut BoardSearcher<L>,
        random: &mut SmallRng,
    ) -> <L::Game as Game>::Position {
        let mut position = start;
        player.forget();
        for _ in 0..self.plies {
            if rules.over(&position).is_some() {
                break;
            }
            let candidates = player.candidates(rules, &[], &position, &Budget::nodes(self.nodes));
            let leaning = |candidate: &Candidate<_>| f64::from(candidate.thought.leaning.hundredths());
            let best = leaning(&candidates[0]);
            let near =
                candidates.iter().take_while(|candidate| best - leaning(candidate) <= self.nearly).count();
            position = rules.play(&position, candidates[random.random_range(0..near)].mv);
        }
        position
    }

    /// The score of the first player from a position, in half points.
    fn play_out<L: Lesson>(
        &self,
        lesson: &L,
        position: &<L::Game as Game>::Position,
        searcher: &dyn Fn() -> BoardSearcher<L>,
        random: &mut SmallRng,
        first: Player,
    ) -> usize {
        let [mut one, mut other] = [0, 1].map(|_| Varied {
            thinker: Thinker { team: Team::alone(searcher()), nodes: self.nodes, time: None },
            random: SmallRng::seed_from_u64(random.random()),
            nodes: self.nodes,
        });
        let (rules, longest) = (lesson.rules(), lesson.longest_match());
        let (outcome, _) = play(&rules, position, &mut one, &mut other, first, Ends::OnceProved, longest);
        halves(outcome, first)
    }
}
