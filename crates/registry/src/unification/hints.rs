//! The hints for packing and reading tables of Squish and Flowish.

use std::sync::{Arc, LazyLock};

use marquis_games::hex::Side;
use marquis_games::unification::{Material, RaceHints, Stepping};
use marquis_table::{SlotFacts, Width};

/// The hints of a game on every board, shared by all tables.
pub(super) type Races<R> = LazyLock<Vec<(Side, Arc<RaceHints<R>>)>>;

/// The hints of a game; they are computed only when a packed block needs them.
pub(super) fn all<R: Stepping>() -> Vec<(Side, Arc<RaceHints<R>>)> {
    Side::all().map(|side| (side, Arc::new(RaceHints::new(side)))).collect()
}

/// The hints for packing a layer, if they cover its numbers of pieces.
pub(super) fn hints<R: Stepping>(races: &Races<R>, side: Side, layer: Material) -> Option<SlotFacts> {
    let (_, hints) = races.iter().find(|(found, _)| *found == side && RaceHints::<R>::covers(side, layer))?;
    let hints = Arc::clone(hints);
    let fill = move |first: u64, out: &mut [u8]| hints.fill(layer, first, out);
    Some(SlotFacts { name: RaceHints::<R>::NAME.to_owned(), width: Width::Two, bytes: Arc::new(fill) })
}
