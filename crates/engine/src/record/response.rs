//! Converts replayed records to responses.

use marquis_core::{ByPlayer, Outcome};

use super::{Replayed, ReplayedLine, ReplayedMove};
use crate::registry::Registry;
use marquis_wire::record::{GameRecord, RecordHeader, RecordedMove, RecordedVariation};

impl Replayed {
    /// The game, move by move.
    ///
    /// * `registry`: the registry that it was [replayed](super::replay) with.
    #[must_use]
    pub fn response(&self, registry: &Registry) -> GameRecord {
        let Self { record, start, lines, over, warnings } = self;
        let game = registry.game(start.game().name());
        let letters = game.map_or(ByPlayer::new('1', '2'), crate::registry::GameEntry::letters);
        let headers = record.headers.iter().map(|header| {
            let (name, value) = (header.name().to_owned(), header.value().to_owned());
            RecordHeader { name, value }
        });
        let winner = over.and_then(|over| match over.outcome {
            Outcome::Winner(winner) => Some(letters[winner].to_string()),
            Outcome::Draw => None,
        });
        let variations = lines[1..].iter().map(|line| RecordedVariation {
            of: line.of,
            comment: line.comment.clone(),
            moves: moves(line, letters),
        });
        GameRecord {
            game: start.game().name().to_owned(),
            headers: headers.collect(),
            position: start.text(),
            turn: letters[start.turn()].to_string(),
            comment: lines[0].comment.clone(),
            moves: moves(&lines[0], letters),
            variations: variations.collect(),
            result: record.outcome.map(|outcome| outcome.text().to_owned()),
            over: over.map(|over| over.reason.name().to_owned()),
            winner,
            record: record.to_string(),
            warnings: warnings.clone(),
        }
    }
}

fn moves(line: &ReplayedLine, letters: ByPlayer<char>) -> Vec<RecordedMove> {
    let one = |(past, step): (usize, &ReplayedMove)| {
        let (throw, mv) = step.throw_and_move();
        RecordedMove {
            ply: past + 1,
            turn: letters[step.by].to_string(),
            throw,
            mv: mv.to_owned(),
            position: step.after.text(),
            comment: step.comment.clone(),
        }
    };
    (line.before..).zip(&line.steps).map(one).collect()
}

impl ReplayedMove {
    /// The throw, if there is one, and the move without it.
    pub(crate) fn throw_and_move(&self) -> (Option<u8>, &str) {
        let parts = self.mv.split_once(':');
        parts.map_or((None, &self.mv), |(throw, mv)| (throw.parse().ok(), mv))
    }
}
