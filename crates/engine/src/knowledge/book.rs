//! The results of the book for positions, in the types of their games.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use marquis_core::{Game as _, GameId, Immobile, Notation as _, Plies, Symmetric as _, Value};

use crate::game::exact::{ExactGame, read_position};
use crate::results::{Proof, Verdict};
use marquis_wire::book::BookEntry;

/// The results of one game, in the type of that game.
pub(crate) type Booked = Arc<dyn Any + Send + Sync>;

/// The results of all games.
pub(crate) type Books = HashMap<GameId, Booked>;

/// The result for one position.
#[derive(Clone)]
pub(crate) struct KnownResult {
    /// The verdict for the player to move.
    pub(crate) verdict: Verdict,
    /// The entry that it follows from.
    pub(crate) entry: Arc<BookEntry>,
}

/// The results about one board, each under the representative of all images of its position.
pub(crate) struct BoardResults<G: ExactGame> {
    rules: G::Rules,
    results: HashMap<G::Position, KnownResult, FixedState>,
    /// The shipped proof files about this board.
    files: Vec<String>,
}

impl<G: ExactGame> BoardResults<G> {
    /// The result for a position: it is in the book, or follows a best move there, or follows any move of a lost
    /// position.
    ///
    /// * `canonical`: the representative of its images.
    pub(crate) fn look(&self, canonical: &G::Position) -> Option<&KnownResult> {
        self.results.get(canonical)
    }

    /// The names of the proof files about this board.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }
}

/// The results of one game, a board after the other.
pub(crate) struct ResultsOf<G: ExactGame>(Vec<Arc<BoardResults<G>>>);

impl<G: ExactGame> ResultsOf<G> {
    /// Selects the results of this game.
    ///
    /// * Second result: why some are left out.
    pub(crate) fn of(entries: &[Arc<BookEntry>]) -> (Self, Vec<String>) {
        let (mut boards, mut left_out) = (Vec::new(), Vec::new());
        for entry in entries.iter().filter(|entry| entry.game == G::ID.name()) {
            if let Err(why) = take::<G>(&mut boards, entry) {
                left_out.push(format!("{} {}: {why}", entry.game, entry.position));
            }
        }
        (Self(boards.into_iter().map(Arc::new).collect()), left_out)
    }

    /// The results by these rules.
    pub(crate) fn about(&self, rules: &G::Rules) -> Option<Arc<BoardResults<G>>> {
        self.0.iter().find(|board| board.rules == *rules).cloned()
    }
}

/// Adds a result and its consequences for the positions after its moves.
fn take<G: ExactGame>(boards: &mut Vec<BoardResults<G>>, entry: &Arc<BookEntry>) -> Result<(), String> {
    let (rules, position) =
        read_position::<G>(&entry.position, Immobile::default()).map_err(|error| error.to_string())?;
    let value = entry.value.ok_or("expected a value, found a chance")?;
    let best = entry.best.iter().map(|text| rules.parse_move(&position, text));
    let best: Vec<G::Move> = best.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let place = boards.iter().position(|board| board.rules == rules).unwrap_or_else(|| {
        let (rules, results) = (rules.clone(), HashMap::default());
        boards.push(BoardResults { rules, results, files: Vec::new() });
        boards.len() - 1
    });
    let board = &mut boards[place];
    if let Some(proof) = entry.proof.as_ref().filter(|proof| !board.files.contains(&proof.file)) {
        board.files.push(proof.file.clone());
    }
    let mut note = |position: &G::Position, verdict: Verdict| {
        let known = |verdict| KnownResult { verdict, entry: Arc::clone(entry) };
        let result = board.results.entry(rules.canonical(position)).or_insert_with(|| known(verdict));
        let joined = result.verdict.and(verdict);
        if joined != result.verdict {
            *result = known(joined);
        }
    };
    let plies = entry.plies.map(Plies);
    note(&position, counted(value, plies));
    let sooner = plies.and_then(|Plies(plies)| plies.checked_sub(1)).map(Plies);
    for mv in best {
        let after = rules.play(&position, mv);
        note(&after, counted(value.for_opponent(), sooner));
        if value == Value::Win {
            after_all::<G>(&rules, &after, sooner, &mut note);
        }
    }
    if value == Value::Loss {
        after_all::<G>(&rules, &position, plies, &mut note);
    }
    Ok(())
}

/// Adds that every move from a lost position leads to a won one.
///
/// * `plies`: those of the lost position.
fn after_all<G: ExactGame>(
    rules: &G::Rules,
    lost: &G::Position,
    plies: Option<Plies>,
    note: &mut impl FnMut(&G::Position, Verdict),
) {
    let mut moves = Vec::new();
    if rules.over(lost).is_none() {
        rules.moves(lost, &mut moves);
    }
    let within = plies.and_then(|Plies(plies)| plies.checked_sub(1)).map(Plies);
    for mv in moves {
        let after = rules.play(lost, mv);
        if rules.over(&after).is_none() {
            note(&after, Verdict::within(Value::Win, within, Proof::Book));
        }
    }
}

/// The verdict of a value, with its plies if known.
fn counted(value: Value, plies: Option<Plies>) -> Verdict {
    let within = Verdict::within(value, plies, Proof::Book);
    let span =
        plies.map_or(within.span, |Plies(plies)| marquis_proof::Span { least: plies, most: Some(plies) });
    Verdict { span, ..within }
}
