//! The results of the book for positions before a throw.

use std::collections::HashMap;
use std::sync::Arc;

use marquis_chance::ChanceInterval;
use marquis_core::Chance as _;

use crate::files::book::chance_of;
use crate::game::chance::ChanceGame;
use marquis_wire::book::BookEntry;
use marquis_wire::words::word;

/// A chance of the book, for the player to throw.
#[derive(Clone, Debug)]
pub(crate) struct KnownChance {
    /// The certified bounds.
    pub(crate) between: ChanceInterval,
    /// Its entry in the book.
    pub(crate) entry: Arc<BookEntry>,
}

/// The results of one game by one set of rules, by position as seen by the player to throw.
struct Shelf<G: ChanceGame> {
    rules: G::Rules,
    results: HashMap<G::Position, KnownChance>,
}

/// The results of one game with throws.
pub(crate) struct KnownChances<G: ChanceGame>(Vec<Shelf<G>>);

impl<G: ChanceGame> KnownChances<G> {
    /// Selects the results of this game.
    ///
    /// * Second result: why some are left out.
    pub(crate) fn of(entries: &[Arc<BookEntry>]) -> (Self, Vec<String>) {
        let (mut shelves, mut left_out) = (Vec::new(), Vec::new());
        for entry in entries.iter().filter(|entry| entry.game == G::ID.name()) {
            if let Err(why) = take::<G>(&mut shelves, entry) {
                left_out.push(format!("{} {}: {why}", entry.game, entry.position));
            }
        }
        (Self(shelves), left_out)
    }

    /// The result for a position or its colour swap, which are equivalent.
    pub(crate) fn look(&self, rules: &G::Rules, position: &G::Position) -> Option<&KnownChance> {
        let shelf = self.0.iter().find(|shelf| shelf.rules == *rules)?;
        shelf.results.get(&rules.as_mover(position))
    }
}

/// Adds a result.
fn take<G: ChanceGame>(shelves: &mut Vec<Shelf<G>>, entry: &Arc<BookEntry>) -> Result<(), String> {
    let (rules, position) = G::parse(&entry.position).map_err(|error| error.to_string())?;
    let between =
        chance_of(entry).ok_or_else(|| format!("expected a chance, found {}", word(entry.value)))?;
    if rules.over(&position).is_some() {
        return Err("expected a position of an unfinished game".to_owned());
    }
    let place = shelves.iter().position(|shelf| shelf.rules == rules).unwrap_or_else(|| {
        shelves.push(Shelf { rules: rules.clone(), results: HashMap::new() });
        shelves.len() - 1
    });
    let known = KnownChance { between, entry: Arc::clone(entry) };
    shelves[place].results.insert(rules.as_mover(&position), known);
    Ok(())
}
