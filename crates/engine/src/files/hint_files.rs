//! Hints as text: `tablebases/FORMAT.md`, "Hints of proofs".

use std::io::{self, Write};

use marquis_core::{ByPlayer, Playable};
use marquis_proof::checker::Promise;
use marquis_proof::hints::{Hints, Next, Play};

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
        let (position, mut after) = (&entry.position, entry.position);
        let play = match &entry.play {
            Play::Move(mv) => {
                after = game.play(position, *mv);
                game.move_text(position, *mv)
            }
            Play::Wait => "-".to_owned(),
            Play::Line(_) => "line".to_owned(),
        };
        let mut line = format!("{};{play};", game.position_text(position));
        let moves: Vec<String> = match &entry.play {
            // A certain line does not depend on the replies, nor do the texts of its moves.
            Play::Line(moves) => moves.iter().map(|&mv| game.move_text(position, mv)).collect(),
            Play::Move(_) | Play::Wait => entry
                .replies
                .iter()
                .map(|&(reply, next)| {
                    let reply = game.move_text(&after, reply);
                    match next {
                        Next::Over => format!("{reply}=."),
                        Next::Entry(number) => format!("{reply}={number}"),
                    }
                })
                .collect(),
        };
        line.push_str(&moves.join(" "));
        line.push('\n');
        out.write_all(line.as_bytes()).map_err(unwritten)?;
    }
    Ok(())
}

/// The error of hints that cannot be written.
pub(crate) fn unwritten(error: io::Error) -> EngineError {
    FileError::system("hints".as_ref(), "write them")(error).into()
}
