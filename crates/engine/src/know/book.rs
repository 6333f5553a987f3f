//! What the book of known results says about positions, in the types of their games.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use marquis_core::{Game as _, GameId, Immobile, Notation as _, Plies, Symmetric as _, Value};

use crate::files::book::value_named;
use crate::game::exact::{ExactGame, read_position};
use crate::wire::book::{BookEntry, Made};

/// The results of one game, of whatever type the game keeps them in.
pub(crate) type Booked = Arc<dyn Any + Send + Sync>;

/// The results of all games.
pub(crate) type Books = HashMap<GameId, Booked>;

/// What is known of one position.
#[derive(Clone)]
pub(crate) struct KnownResult {
    /// For the player to move.
    pub(crate) value: Value,
    /// To the end; none for a draw, and where only the value is proved.
    pub(crate) plies: Option<Plies>,
    /// What it follows from.
    pub(crate) entry: Arc<BookEntry>,
}

impl KnownResult {
    /// What it says about the position after a best move.
    fn after_best(&self) -> Self {
        let plies = self.plies.and_then(|Plies(plies)| plies.checked_sub(1)).map(Plies);
        Self { value: self.value.for_opponent(), plies, entry: Arc::clone(&self.entry) }
    }
}

/// The results about one board, by every image of their positions.
pub(crate) struct Board<G: ExactGame> {
    rules: G::Rules,
    results: HashMap<G::Position, KnownResult>,
}

impl<G: ExactGame> Board<G> {
    /// What is known of a position, if it is in the book or comes of a best move there.
    pub(crate) fn look(&self, position: &G::Position) -> Option<&KnownResult> {
        self.results.get(position)
    }
}

/// The results of one game, a board after the other.
pub(crate) struct ResultsOf<G: ExactGame>(Vec<Arc<Board<G>>>);

impl<G: ExactGame> ResultsOf<G> {
    /// The results of this game among these; those that are made anew in a moment are left to that, which tells more.
    ///
    /// * Second result: why some are left out.
    pub(crate) fn of(entries: &[Arc<BookEntry>]) -> (Self, Vec<String>) {
        let (mut boards, mut left_out) = (Vec::new(), Vec::new());
        let asked = |entry: &&Arc<BookEntry>| entry.game == G::ID.name() && entry.made != Made::Listed;
        for entry in entries.iter().filter(asked) {
            if let Err(why) = take::<G>(&mut boards, entry) {
                left_out.push(format!("{} {}: {why}", entry.game, entry.position));
            }
        }
        (Self(boards.into_iter().map(Arc::new).collect()), left_out)
    }

    /// The results by these rules.
    pub(crate) fn about(&self, rules: &G::Rules) -> Option<Arc<Board<G>>> {
        self.0.iter().find(|board| board.rules == *rules).cloned()
    }
}

/// Takes a result in, and what it says about the positions after its best moves.
fn take<G: ExactGame>(boards: &mut Vec<Board<G>>, entry: &Arc<BookEntry>) -> Result<(), String> {
    let (rules, position) =
        read_position::<G>(&entry.position, Immobile::default()).map_err(|error| error.to_string())?;
    let value = value_named(&entry.value).ok_or_else(|| format!("no value: {}", entry.value))?;
    let known = KnownResult { value, plies: entry.plies.map(Plies), entry: Arc::clone(entry) };
    let mut found = Vec::new();
    for text in &entry.best {
        let mv = rules.parse_move(&position, text).map_err(|error| error.to_string())?;
        found.push((rules.play(&position, mv), known.after_best()));
    }
    let place = boards.iter().position(|board| board.rules == rules).unwrap_or_else(|| {
        boards.push(Board { rules: rules.clone(), results: HashMap::new() });
        boards.len() - 1
    });
    let results = &mut boards[place].results;
    for image in 0..rules.images() {
        for (after, known) in &found {
            results.entry(rules.image(after, image)).or_insert_with(|| known.clone());
        }
        // What the book says of a position itself goes before what follows from others.
        results.insert(rules.image(&position, image), known.clone());
    }
    Ok(())
}
