//! `accuracy [GAMES] [START] [NODES] [TABLES]`: the accuracy that reviews give players.
//!
//! Random players and all levels play `GAMES` games against each other in pairs. Moves and reviews look at `NODES`
//! positions, which is one throw ahead. With a folder of tables the reviews use its certified chances, but the
//! players do not, so that moves are not judged by the source that chose them.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use marquis_core::GameId;
use marquis_core::{Chance as _, ChanceNotation as _, Throw};
use marquis_engine::record::{read_record, replay};
use marquis_engine::{Control, Engine, EngineOptions, Level, Limits, Opponent, Query};
use marquis_games::senet::{Position, Senet, THROWS, parse};
use marquis_registry::official;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

const SENET: GameId = GameId::new("senet");
/// The levels in each pairing; 0 is a player of random moves.
const PAIRS: [[u8; 2]; 5] = [[0, 8], [1, 7], [2, 6], [3, 5], [4, 0]];

/// The accuracies of one player.
#[derive(Default)]
struct Accuracies(Vec<f64>);

impl fmt::Display for Accuracies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len() as f64;
        let mean = self.0.iter().sum::<f64>() / count;
        let spread = (self.0.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / count).sqrt();
        write!(
            f,
            "accuracy {mean:.1} ± {:.1} (95 %), spread {spread:.1}, {count} games",
            1.96 * spread / count.sqrt()
        )
    }
}

struct Table {
    /// Chooses the moves of the levels.
    player: Engine,
    /// Reviews the games.
    judge: Engine,
    limits: Limits,
    start: String,
}

impl Table {
    /// The move of a player for a throw, and the position after it.
    fn choose(
        &self,
        level: u8,
        position: &Position,
        throw: Throw,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<(String, Position), Box<dyn Error>> {
        let mut moves = Vec::new();
        Senet.moves(position, throw, &mut moves);
        if level == 0 || moves.len() == 1 {
            let mv = moves[random.random_range(0..moves.len())];
            return Ok((Senet.move_text(position, mv), Senet.play(position, throw, mv)));
        }
        let query = Query { throw: Some(throw.score), ..Query::new(SENET, Senet.position_text(position)) };
        let opponent = Opponent { level: Level::new(level).ok_or("a level")?, seed: random.random() };
        let advice = self.player.advise(&query, opponent, &self.limits, &Control::none())?;
        Ok((advice.mv, parse(&advice.position)?.1))
    }

    /// The accuracies of both players in a game.
    fn game(&self, players: [u8; 2], seed: u64) -> Result<[Option<f64>; 2], Box<dyn Error>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (_, begin) = parse(&self.start)?;
        let (mut position, mut text) = (begin, format!("[Position \"{}\"]", self.start));
        while Senet.over(&position).is_none() {
            let throw = cast(&mut random);
            let level = players[usize::from(position.turn() != begin.turn())];
            let (mv, after) = self.choose(level, &position, throw, &mut random)?;
            text += &format!(" {}:{mv}", throw.score);
            position = after;
        }
        let game = Arc::new(replay(self.judge.registry(), &read_record(&text)?, Some(SENET))?);
        let review = self.judge.review(&game, &self.limits, &Control::none(), &mut |_| {})?;
        let of =
            |letter: &str| review.players.iter().find(|own| own.turn == letter).and_then(|own| own.accuracy);
        let other = if review.turn == "b" { "w" } else { "b" };
        Ok([of(&review.turn), of(other)])
    }

    fn games(&self, players: [u8; 2], games: u64) -> Result<[Accuracies; 2], Box<dyn Error>> {
        let mut found = [Accuracies::default(), Accuracies::default()];
        for seed in 0..games {
            // Each player begins half of the games.
            let swaps = seed % 2 == 1;
            let mut accuracies = self.game(if swaps { [players[1], players[0]] } else { players }, seed)?;
            if swaps {
                accuracies.reverse();
            }
            for (found, own) in found.iter_mut().zip(accuracies) {
                found.0.extend(own);
            }
        }
        Ok(found)
    }
}

fn cast(random: &mut Xoshiro256PlusPlus) -> Throw {
    let all: u8 = THROWS.iter().map(|throw| throw.weight).sum();
    let mut left = random.random_range(0..all);
    for throw in THROWS {
        match left.checked_sub(throw.weight) {
            None => return throw,
            Some(rest) => left = rest,
        }
    }
    unreachable!("the number is below the sum of the weights")
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let games = arguments.first().map_or(Ok(200), |text| text.parse())?;
    let start = arguments.get(1).cloned().unwrap_or_else(|| "wbwbwbwbw1/b9/10 b".to_owned());
    let nodes = arguments.get(2).map_or(Ok(100), |text| text.parse())?;
    let (player, _) = Engine::open(official(), EngineOptions::default())?;
    let tables = arguments.get(3).map(PathBuf::from).into_iter().collect();
    let (judge, _) = Engine::open(official(), EngineOptions { tables, ..EngineOptions::default() })?;
    let limits = Limits { nodes: Some(nodes), threads: Some(1), ..Limits::default() };
    let table = Table { player, judge, limits, start };
    std::thread::scope(|scope| {
        for players in PAIRS {
            let table = &table;
            scope.spawn(move || match table.games(players, games) {
                Ok(found) => {
                    for (level, own) in players.into_iter().zip(found) {
                        let name = if level == 0 { "random".to_owned() } else { format!("level {level}") };
                        println!("{name}: {own}");
                    }
                }
                Err(error) => eprintln!("{players:?}: {error}"),
            });
        }
    });
    Ok(())
}
