//! Hints as text: `tablebases/FORMAT.md`, "Hints of proofs".

use std::io::{self, Write};

use marquis_core::{ByPlayer, Playable};
use marquis_proof::checker::Promise;
use marquis_proof::hints::{Hints, HolderPart, Next};

use crate::{Control, EngineError, FileError, Progress};

/// The first line of a file of hints.
pub(crate) const HEAD: &str = "marquis-hints 2";
/// Entries between two reports of progress.
const REPORT_EVERY: usize = 1 << 12;

/// Writes the hints of one strategy.
///
/// * `letters`: of the players in position texts.
///
/// # Errors
/// `out` cannot be written, or an interruption.
pub(crate) fn write<G: Playable>(
    game: &G,
    root: &G::Position,
    hints: &Hints<'_, G>,
    letters: ByPlayer<char>,
    out: &mut dyn Write,
    control: &Control<'_>,
) -> Result<(), EngineError> {
    let promise = match hints.head.promise {
        Promise::Win => "wins",
        Promise::NeverLose => "does-not-lose",
    };
    let head = format!(
        "strategy {} {promise}\nposition {}\nentries {}\n",
        letters[hints.head.holder],
        game.position_text(root),
        hints.len()
    );
    out.write_all(head.as_bytes()).map_err(unwritten)?;
    for (number, entry) in hints.entries().enumerate() {
        if number.is_multiple_of(REPORT_EVERY) {
            if control.stopped() {
                return Err(EngineError::Interrupted);
            }
            let (done, total) = (number as u64, Some(hints.len() as u64));
            control.tell(&Progress { phase: "writing hints".to_owned(), done, total, bounds: None });
        }
        let position = &entry.position;
        let reply_text = |after: &G::Position, reply, next| match next {
            Next::Over => format!("{}=.", game.move_text(after, reply)),
            Next::Entry(number) => format!("{}={number}", game.move_text(after, reply)),
        };
        let replies = |after: &G::Position| -> Vec<String> {
            entry.replies.iter().map(|&(reply, next)| reply_text(after, reply, next)).collect()
        };
        let (play, moves) = match &entry.play {
            HolderPart::Move(mv) => (game.move_text(position, *mv), replies(&game.play(position, *mv))),
            HolderPart::Wait => ("-".to_owned(), replies(position)),
            // The line does not depend on the replies, nor do the texts of its moves.
            HolderPart::Line(line) => {
                ("line".to_owned(), line.iter().map(|&mv| game.move_text(position, mv)).collect())
            }
        };
        let line = format!("{};{play};{}\n", game.position_text(position), moves.join(" "));
        out.write_all(line.as_bytes()).map_err(unwritten)?;
    }
    Ok(())
}

/// The error of hints that cannot be written.
pub(crate) fn unwritten(error: io::Error) -> EngineError {
    FileError::system("hints".as_ref(), "write them")(error).into()
}
