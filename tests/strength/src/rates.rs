//! Throughput of one thread per second: positions of our search, and rollouts of the tree search.

use std::time::Duration;

use cpu_time::ProcessTime;
use marquis_core::Game;
use marquis_play::Searcher;
use marquis_play::arena::Contestant as _;
use marquis_sense::Schooled;
use marquis_sense::lessons::LessonVisitor;
use marquis_train::Lesson;
use marquis_train::generations::mixed;

use crate::mcts::{Budget, TreeSearch};
use crate::players::{TABLE, estimator};
use crate::versus::fair;

/// Measures the throughput of one thread per second of CPU time, over positions of match games.
#[derive(Clone, Debug, clap::Args)]
pub struct Rates {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    pub game: String,
    /// Games; every fourth position is searched.
    #[arg(long, default_value_t = 6)]
    games: u64,
    /// Positions per search, unless it finds a proof earlier.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Rollouts of the tree search.
    #[arg(long, default_value_t = 5_000)]
    rollouts: u32,
    /// Prints the rate of the tree search at each position.
    #[arg(long)]
    aloud: bool,
}

/// A count, and its CPU time.
#[derive(Default)]
struct Rate {
    count: u64,
    time: Duration,
}

impl Rate {
    fn measure(&mut self, work: impl FnOnce() -> u64) {
        let begun = ProcessTime::now();
        self.count += work();
        self.time += begun.elapsed();
    }

    fn a_second(&self) -> f64 {
        self.count as f64 / self.time.as_secs_f64()
    }
}

impl LessonVisitor for Rates {
    type Output = ();

    fn visit<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let mut searches = ["weights", "terms"].map(|name| {
            (name, Searcher::new(estimator(lesson, name), L::Sense::default(), TABLE), Rate::default())
        });
        let mut player = Searcher::new(estimator(lesson, "weights"), L::Sense::default(), 1 << 20);
        let judge = Searcher::new(estimator(lesson, "weights"), L::Sense::default(), TABLE);
        let mut fair = fair(lesson, judge, 100_000);
        let mut tree = TreeSearch::new(Budget::Rollouts(self.rollouts));
        let mut by_tree = Rate::default();
        let mut looked_at = 0;
        for number in 0..self.games {
            let (rules, mut position) = fair.opening(mixed(&[number]));
            for ply in 0..40 {
                if rules.over(&position).is_some() {
                    break;
                }
                let thought =
                    player.think(&rules, &[], &position, &marquis_play::Budget::nodes(20_000), &mut |_| {});
                if thought.proved.is_some() {
                    break;
                }
                if ply % 4 == 0 {
                    looked_at += 1;
                    let before = by_tree.time;
                    for (_, searcher, rate) in &mut searches {
                        searcher.forget();
                        let limits = marquis_play::Budget::nodes(self.nodes);
                        rate.measure(|| searcher.think(&rules, &[], &position, &limits, &mut |_| {}).nodes);
                    }
                    by_tree.measure(|| {
                        tree.choose(&rules, &[], &position);
                        u64::from(self.rollouts)
                    });
                    if self.aloud {
                        let took = (by_tree.time - before).as_secs_f64();
                        println!(
                            "ply {ply:3}: {:10.0} random games a second",
                            f64::from(self.rollouts) / took
                        );
                    }
                }
                position = rules.play(&position, thought.line[0]);
            }
        }
        println!("{}: {looked_at} positions", self.game);
        for (name, _, rate) in &searches {
            println!("  {name:8} {:10.0} nodes a second", rate.a_second());
        }
        println!("  {:8} {:10.0} random games a second", "mcts", by_tree.a_second());
    }
}
