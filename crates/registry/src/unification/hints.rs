//! The hints by which tables of Squish and Flowish are packed and read.

use std::sync::{Arc, LazyLock};

use marquis_games::hex::Side;
use marquis_games::unification::{Material, RaceHints, Stepping};
use marquis_table::{Hints, Width};

/// The hints of a game on every board; all tables share them.
pub(super) type Races<R> = LazyLock<Vec<(Side, Arc<RaceHints<R>>)>>;

/// Those of a game, of which nothing is computed until a packed block asks for it.
pub(super) fn all<R: Stepping>() -> Vec<(Side, Arc<RaceHints<R>>)> {
    Side::all().map(|side| (side, Arc::new(RaceHints::new(side)))).collect()
}

/// The hints by which a layer is packed, if there are any for so many pieces.
pub(super) fn hints<R: Stepping>(races: &Races<R>, side: Side, layer: Material) -> Option<Hints> {
    let (_, hints) = races.iter().find(|(found, _)| *found == side && RaceHints::<R>::covers(side, layer))?;
    let hints = Arc::clone(hints);
    let fill = move |first: u64, out: &mut [u8]| hints.fill(layer, first, out);
    Some(Hints { name: RaceHints::<R>::NAME.to_owned(), width: Width::Two, bytes: Arc::new(fill) })
}
