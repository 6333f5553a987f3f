//! The hints by which tables of Squish and Flowish are packed and read.

use std::sync::{Arc, LazyLock};

use marquis_games::catalogue::GameId;
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Flow, Material, RaceHints, Stepping};
use marquis_table::{Hints, Identity, Width};

use crate::tabled::{material, side_of};

/// The hints of a game on every board; all tables share them.
type Races<R> = LazyLock<Vec<(Side, Arc<RaceHints<R>>)>>;

static SQUISH: Races<Approach> = LazyLock::new(all);
static FLOWISH: Races<Flow> = LazyLock::new(all);

fn all<R: Stepping>() -> Vec<(Side, Arc<RaceHints<R>>)> {
    Side::all().map(|side| (side, Arc::new(RaceHints::new(side)))).collect()
}

/// The hints by which a layer is packed, if there are any for so many pieces.
///
/// Nothing is computed until a packed block asks for it.
pub(crate) fn race_hints_of(identity: &Identity) -> Option<Hints> {
    let (side, layer) = (side_of(&identity.variant)?, material(&identity.layer)?);
    if identity.game == GameId::Squish.name() {
        race_hints(&SQUISH, side, layer)
    } else if identity.game == GameId::Flowish.name() {
        race_hints(&FLOWISH, side, layer)
    } else {
        None
    }
}

fn race_hints<R: Stepping>(races: &Races<R>, side: Side, layer: Material) -> Option<Hints> {
    let (_, hints) = races.iter().find(|(found, _)| *found == side && RaceHints::<R>::covers(side, layer))?;
    let hints = Arc::clone(hints);
    let fill = move |first: u64, out: &mut [u8]| hints.fill(layer, first, out);
    Some(Hints { name: RaceHints::<R>::NAME.to_owned(), width: Width::Two, bytes: Arc::new(fill) })
}
