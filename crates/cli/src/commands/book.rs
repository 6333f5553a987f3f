//! `marquis book`

use std::path::PathBuf;

use clap::Args;
use clap::builder::styling::Style;
use marquis_core::GameId;
use marquis_wire::book::{BookCheck, BookEntry, BookReport, BookVerdict, CheckedEntry};
use marquis_wire::words::word;

use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::{self, registry};
use crate::interrupt;
use crate::output::{self, Format};
use crate::progress::watched;
use crate::value_texts;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis book
  marquis book squinch --json
  marquis book --check --proofs tablebases/proofs

Official starts and other positions with a proved value; in Senet, positions with a certified chance. `solve`, `serve`
and the players answer from them.
--check replays every proof file in the folder, as `check-proof --by-theorem` does, and solves quick entries again. It
lists entries that it does not check. Exit code 1 if a result is wrong, 3 if none could be checked.")]
pub(crate) struct Book {
    /// Only the results of this game
    #[arg(value_parser = games::parser())]
    game: Option<GameId>,
    /// Check the results against their proofs
    #[arg(long)]
    check: bool,
    /// Folder of proof files
    #[arg(long, value_name = "DIR", default_value = "tablebases/proofs", requires = "check")]
    proofs: PathBuf,
}

impl Book {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        if self.check {
            let checked =
                watched(|control| marquis_engine::check_book(registry(), self.game, &self.proofs, control))?;
            output::answer(&checked, format, say_checked)?;
            return Ok(match (checked.holds(), checked.checked_any()) {
                (false, _) => CommandEnd::Refuted,
                (true, true) => CommandEnd::Answered,
                (true, false) => interrupt::ending(false),
            });
        }
        output::answer(&registry().book(self.game), format, say)?;
        Ok(CommandEnd::Answered)
    }
}

fn say(report: &BookReport) -> String {
    let mut table =
        TextTable::new(&["", "game", "variant", "value", ">plies", "best moves", "proof", "position"]);
    for entry in &report.entries {
        let proof = entry.proof.as_ref().map_or(entry.made.name(), |proof| proof.file.as_str());
        table.styled(row(entry, proof.to_owned()));
    }
    table.render() + &left_out(&report.left_out)
}

fn row(entry: &BookEntry, last: String) -> Vec<(String, Style)> {
    let plain = |text: String| (text, Style::new());
    let style = value_texts::style(entry.value);
    // A certified chance is neither a value nor unknown.
    let (sign, value) = match entry.chance {
        Some(_) => ("", value_texts::chance(entry.chance, entry.error)),
        None => (value_texts::sign(entry.value), word(entry.value).to_owned()),
    };
    vec![
        (sign.to_owned(), style.bold()),
        plain(entry.game.clone()),
        plain(entry.variant.clone()),
        (value, style),
        plain(entry.plies.map(|plies| plies.to_string()).unwrap_or_default()),
        plain(value_texts::shortened(&entry.best)),
        plain(last),
        (entry.position.clone(), Style::new().dimmed()),
    ]
}

fn say_checked(check: &BookCheck) -> String {
    let mut table =
        TextTable::new(&["", "game", "variant", "value", ">plies", "best moves", "check", "position"]);
    for CheckedEntry { entry, verdict, .. } in &check.entries {
        table.styled(row(entry, outcome(*verdict).to_owned()));
    }
    let why = |checked: &CheckedEntry| {
        let why = checked.why.as_ref()?;
        Some(format!(
            "{}: {} {}: {why}\n",
            outcome(checked.verdict),
            checked.entry.game,
            checked.entry.position
        ))
    };
    let notes: String = check.entries.iter().filter_map(why).collect();
    let count = |verdict| check.entries.iter().filter(|own| own.verdict == verdict).count();
    let summary = format!(
        "{} replayed, {} solved again, {} not checked, {} wrong\n",
        count(BookVerdict::Replayed),
        count(BookVerdict::Solved),
        count(BookVerdict::Unchecked),
        count(BookVerdict::Wrong)
    );
    table.render() + "\n" + &notes + &left_out(&check.left_out) + &summary
}

const fn outcome(verdict: BookVerdict) -> &'static str {
    match verdict {
        BookVerdict::Replayed => "replayed",
        BookVerdict::Solved => "solved again",
        BookVerdict::Unchecked => "not checked",
        BookVerdict::Wrong => "wrong",
    }
}

/// The lines of the book that are not used, each with its reason.
fn left_out(lines: &[String]) -> String {
    lines.iter().map(|why| format!("left out: {why}\n")).collect()
}
