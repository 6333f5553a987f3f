//! Checks the book of known results against its proofs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use marquis_core::GameId;
use marquis_proof::checker::Foregone;
use marquis_table::container_head;

use super::Engine;
use crate::error::Unsuited;
use crate::proof_files::check_proof_within;
use crate::query::{BookUse, EngineOptions, Query};
use crate::registry::Registry;
use crate::{Control, EngineError, Limits, causes};
use marquis_wire::answer::{Answer, ChanceAnswer, ExactAnswer};
use marquis_wire::book::{BookCheck, BookEntry, BookProof, BookReport, BookVerdict, CheckedEntry, Made};
use marquis_wire::words::{names, word};

/// The verdict on one result, and the reason if it is wrong or was not checked.
type Finding = (BookVerdict, Option<String>);

/// Checks every known result: proof files are replayed (theorems are believed), results whose reachable positions are
/// soon listed are solved again, and tables are not built.
///
/// * `game`: only the results of this game, if given.
/// * `proofs`: the folder of proof files; a result whose file is missing stays unchecked.
/// * `control`: watches and stops the check; the remaining results stay unchecked.
///
/// # Errors
/// A table directory or a game does not exist; a proof that does not hold is a report, not an error.
pub fn check_book(
    registry: &Registry,
    game: Option<GameId>,
    proofs: &Path,
    control: &Control<'_>,
) -> Result<BookCheck, EngineError> {
    let BookReport { entries, left_out } = registry.book(game);
    let mut check = Check { registry, proofs, control, sound: BTreeSet::new(), missing: BTreeSet::new() };
    let first: Vec<Finding> = entries.iter().map(|entry| check.value(entry)).collect::<Result<_, _>>()?;
    let sound = check.sound.iter().cloned().collect();
    let engine = check.engine(sound)?;
    let checked = entries.into_iter().zip(first).map(|(entry, (verdict, why))| {
        let (verdict, why) = match verdict {
            BookVerdict::Replayed => check.best(&engine, &entry)?,
            _ => (verdict, why),
        };
        Ok(CheckedEntry { entry, verdict, why })
    });
    Ok(BookCheck { entries: checked.collect::<Result<_, EngineError>>()?, left_out })
}

/// A check in progress.
struct Check<'a> {
    registry: &'a Registry,
    proofs: &'a Path,
    control: &'a Control<'a>,
    /// Proof files that hold.
    sound: BTreeSet<PathBuf>,
    /// Proof files that are missing.
    missing: BTreeSet<PathBuf>,
}

impl Check<'_> {
    /// An engine with these proofs and without the book.
    fn engine(&self, proofs: Vec<PathBuf>) -> Result<Engine, EngineError> {
        let options = EngineOptions { proofs, book: BookUse::LeftAlone, ..EngineOptions::default() };
        Engine::open(self.registry.clone(), options).map(|(engine, _)| engine)
    }

    /// Checks whether a result has the value in the book.
    fn value(&mut self, entry: &BookEntry) -> Result<Finding, EngineError> {
        if self.control.stopped() {
            return Ok(unchecked("the check was stopped".to_owned()));
        }
        Ok(match (&entry.proof, entry.made) {
            (Some(proof), _) => self.replay(entry, proof),
            (None, Made::Listed) => self.solve(entry)?,
            (None, Made::Tables | Made::Search) => unchecked(format!("`{}` finds it again", entry.command)),
        })
    }

    /// Replays the proof file by the rules.
    fn replay(&mut self, entry: &BookEntry, proof: &BookProof) -> Finding {
        let file = self.proofs.join(&proof.file);
        if !file.exists() {
            let why = format!("there is no {}; `{}` writes it", file.display(), entry.command);
            self.missing.insert(file);
            return unchecked(why);
        }
        let head = container_head(&file).map_err(|error| causes(&error).to_string());
        match head {
            Err(why) => return wrong(why),
            Ok(head) if head.seal != proof.seal => {
                return wrong(format!("expected a file with the seal {}, found {}", proof.seal, head.seal));
            }
            Ok(_) => {}
        }
        // Played to the end of the game, proofs of Squinch are hundreds of times as large.
        let checked = check_proof_within(self.registry, &file, Foregone::Believed, &Limits::default());
        let report = match checked {
            Ok(report) => report,
            Err(error) => return wrong(causes(&error).to_string()),
        };
        if let Some(why) = report.refused {
            return wrong(why);
        }
        let claim = report.claims.iter().find(|claim| claim.position == entry.position);
        let Some(claim) = claim.filter(|_| report.game == entry.game) else {
            return wrong(format!("{} says nothing about the position", file.display()));
        };
        if claim.bounds.value() != entry.value {
            let [worst, best] = names(claim.bounds);
            return wrong(format!("the proof says {worst} to {best}"));
        }
        self.sound.insert(file);
        (BookVerdict::Replayed, None)
    }

    /// Checks whether proof files show for every best move that it keeps the value.
    fn best(&self, engine: &Engine, entry: &BookEntry) -> Result<Finding, EngineError> {
        let query = self.query(entry)?;
        let Answer::Exact(answer) = engine.probe(&query)? else {
            return Err(Unsuited::ProofFile(query.game).into());
        };
        let shown = |best: &&String| {
            answer.moves.iter().any(|own| own.mv == **best && own.verdict.value == entry.value)
        };
        Ok(match entry.best.iter().find(|best| !shown(best)) {
            None => (BookVerdict::Replayed, None),
            Some(best) if self.missing.is_empty() => {
                wrong(format!("no proof shows that {best} keeps the value"))
            }
            Some(best) => unchecked(format!("the proof for {best} may be in a file that is not there")),
        })
    }

    /// Solves all reachable positions again.
    fn solve(&self, entry: &BookEntry) -> Result<Finding, EngineError> {
        let engine = self.engine(Vec::new())?;
        Ok(match engine.solve(&self.query(entry)?, &Limits::default(), self.control)? {
            Answer::Exact(answer) => solved(entry, &answer),
            Answer::Chance(answer) => solved_chance(entry, &answer),
        })
    }

    fn query(&self, entry: &BookEntry) -> Result<Query, EngineError> {
        Ok(Query::new(self.registry.game(&entry.game)?.id(), entry.position.clone()))
    }
}

/// Whether a new answer agrees with the book.
fn solved(entry: &BookEntry, answer: &ExactAnswer) -> Finding {
    let found = (answer.verdict.value, answer.verdict.plies);
    if found != (entry.value, entry.plies) {
        let plies = found.1.map(|plies| format!(" in {plies} plies")).unwrap_or_default();
        return wrong(format!("a new search finds {}{plies}", word(found.0)));
    }
    let keeps = |best: &&String| {
        let own = answer.moves.iter().find(|own| own.mv == **best);
        own.is_some_and(|own| (own.verdict.value, own.verdict.plies) == found)
    };
    match entry.best.iter().find(|best| !keeps(best)) {
        None => (BookVerdict::Solved, None),
        Some(best) => wrong(format!("a new search does not find {best} among the best moves")),
    }
}

/// Whether the bounds of a newly computed chance lie within those of the book.
fn solved_chance(entry: &BookEntry, answer: &ChanceAnswer) -> Finding {
    let booked = entry.chance.zip(entry.error);
    let Some(((chance, error), (booked, allowed))) = answer.chance.zip(answer.error).zip(booked) else {
        return unchecked(format!(
            "the search ended without a certified chance; `{}` finds it",
            entry.command
        ));
    };
    if (chance - booked).abs() + error <= allowed {
        return (BookVerdict::Solved, None);
    }
    wrong(format!(
        "expected a chance within {booked} ± {allowed:e}, a new solution finds {chance} ± {error:e}; correct the book"
    ))
}

fn wrong(why: String) -> Finding {
    (BookVerdict::Wrong, Some(why))
}

fn unchecked(why: String) -> Finding {
    (BookVerdict::Unchecked, Some(why))
}
