//! Legal moves and perft: what the rules alone say.

use marquis_core::{Chance, Game, Throw};
use marquis_games::catalogue::{About, GameId, Notation};
use marquis_games::{Senet, senet};

use crate::dispatch::for_game;
use crate::reports::ListedMove;
use crate::{Control, EngineError, Progress, Query};

/// Every game: variants, grammar, start positions.
#[must_use]
pub fn games() -> Vec<About> {
    GameId::ALL.into_iter().map(About::game).collect()
}

/// The legal moves of a position, in the order of the rules; none where the game is over.
///
/// For Senet the moves of every throw, or of the one that is asked for.
///
/// # Errors
/// Bad input: the position, a move to play first, or the throw.
pub fn moves(query: &Query) -> Result<Vec<ListedMove>, EngineError> {
    let throw = query.throw()?;
    Ok(for_game!(
        query.asked()?,
        |game, position| listed(&game, &position),
        senet | game,
        position | { listed_throws(&game, &position, throw) }
    ))
}

fn listed<G: Notation>(game: &G, position: &G::Position) -> Vec<ListedMove> {
    let mut moves = Vec::new();
    if game.over(position).is_none() {
        game.moves(position, &mut moves);
    }
    let list = |mv| ListedMove {
        throw: None,
        mv: game.move_text(position, mv),
        position: game.position_text(&game.play(position, mv)),
    };
    moves.into_iter().map(list).collect()
}

fn listed_throws(game: &Senet, position: &senet::Position, throw: Option<Throw>) -> Vec<ListedMove> {
    if game.over(position).is_some() {
        return Vec::new();
    }
    let asked = game.throws().iter().copied().filter(|&t| throw.is_none_or(|asked| asked == t));
    let list = |throw: Throw| {
        let mut moves = Vec::new();
        game.moves(position, throw, &mut moves);
        moves.into_iter().map(move |mv| ListedMove {
            throw: Some(throw.score),
            mv: game.move_text(position, mv),
            position: game.text(&game.play(position, throw, mv)),
        })
    };
    asked.flat_map(list).collect()
}

/// How many positions there are after exactly 1, 2, … `depth` plies, a finished game counting as one
/// wherever it ends; of fewer plies only those that were finished before an interruption.
///
/// # Errors
/// Bad input, or Senet.
pub fn perft(query: &Query, depth: u32, control: &Control<'_>) -> Result<Vec<u64>, EngineError> {
    for_game!(
        query.asked()?,
        |game, position| {
            let mut counts = Vec::new();
            for plies in 1..=depth {
                let Some(count) = leaves(&game, &position, plies, control) else { break };
                counts.push(count);
                let phase = format!("perft {plies}");
                control.tell(&Progress { phase, done: counts.iter().sum(), total: None, bounds: None });
            }
            Ok(counts)
        },
        senet | _game,
        _position
            | Err(EngineError::NotForThisGame(
                "perft counts moves without throws; senet has throws".to_owned()
            ))
    )
}

/// How many positions there are after so many plies; none where it was interrupted.
fn leaves<G: Game>(game: &G, position: &G::Position, depth: u32, control: &Control<'_>) -> Option<u64> {
    if depth == 0 || game.over(position).is_some() {
        return Some(1);
    }
    if control.stopped() {
        return None;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| leaves(game, &game.play(position, mv), depth - 1, control)).sum()
}
