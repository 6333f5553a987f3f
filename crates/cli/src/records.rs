//! Records of games that this program played.

use marquis_core::Immobile;
use marquis_engine::Posed;
use marquis_engine::record::replay;
use marquis_record::{GameResult, Header, MoveSequence, MoveText, Ply, Record};

use crate::exit::CommandFailure;
use crate::games;

/// A game between two players as a record in canonical form.
///
/// * `moves`: with their throws.
/// * `players`: the name of the player with the first move in the start position of the game, and that of the other.
/// * `otherwise`: the outcome if the rules do not decide the game.
///
/// # Errors
/// A move is not legal.
pub(crate) fn record<'a>(
    start: &Posed,
    moves: impl IntoIterator<Item = &'a str>,
    players: [&str; 2],
    otherwise: GameResult,
) -> Result<Record, CommandFailure> {
    let immobile = start.immobile();
    let headers = [
        Header::new("Position", &start.text()),
        (immobile != Immobile::default()).then(|| Header::new("Immobile", immobile.name())).flatten(),
        Header::new("First", players[0]),
        Header::new("Second", players[1]),
    ];
    let plies = moves.into_iter().map(|mv| {
        MoveText::new(mv)
            .map(Ply::new)
            .ok_or_else(|| CommandFailure::failed(format!("`{mv}` is not a move of a record")))
    });
    let line = MoveSequence { comment: None, plies: plies.collect::<Result<_, _>>()? };
    let record = Record { headers: headers.into_iter().flatten().collect(), line, outcome: None };
    let mut record = replay(games::registry(), &record, Some(start.game()))?.record().clone();
    record.outcome.get_or_insert(otherwise);
    Ok(record)
}
