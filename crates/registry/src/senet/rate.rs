//! How fast sweeps are, in memory and in strips on disk: on stand-ins for finished layers, so that a layer can be
//! measured before those below it are built.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{Estimates, Fault, Folder, Grids, Half, Layout as _, Order, Swept};
use marquis_games::senet::Layer;

use super::iterating::first_guess;
use super::solving::{Bundle, Sides, layouts};

/// Sweeps over the estimates of a layer and its colour swap, from the first guess on, above rows of which nothing is
/// known. The numbers mean nothing.
///
/// * `disk`: a folder for the strips; in memory where there is none.
/// * `tell`: called with the number of each sweep, and the bytes that were read and written so far.
///
/// # Errors
/// A strip that cannot be read or written.
pub fn sweep(
    layer: Layer,
    order: Order,
    disk: Option<&Path>,
    sweeps: u32,
    tell: &mut dyn FnMut(u32, [u64; 2]),
) -> Result<(), Fault> {
    let bundle = Bundle { layer };
    let sides = Sides::new(layer.mover.max(layer.opponent));
    let layouts = layouts(&sides, bundle);
    let halves: Vec<Half<'_, u32, 1>> = bundle
        .layers()
        .into_iter()
        .zip(&layouts)
        .map(|(own, layout)| {
            let rows = sides.placements(own.mover.saturating_sub(1)).homes().count().max(1);
            let finished = || Estimates::unknown(rows, &layout.columns().bands());
            Half::new(layout, finished(), finished())
        })
        .collect();
    let mut halves = halves.into_iter();
    let mut grids = match (halves.next(), halves.next()) {
        (Some(half), Some(other)) => Grids::pair(half, other, order),
        (Some(half), None) => Grids::own(half, order),
        _ => unreachable!("a bundle has one or two layers"),
    };
    if let Some(path) = disk {
        let (path, name, extension) = (path.to_owned(), ".rate".to_owned(), "strip".to_owned());
        grids = grids.on_disk(Folder { path, name, extension, basis: String::new() })?;
        grids.clear()?;
    }
    first_guess(&sides, bundle, &mut grids)?;
    tell(0, grids.moved());
    for number in 1..=sweeps {
        if grids.sweep(&AtomicBool::new(false))? == Swept::Stopped {
            break;
        }
        tell(number, grids.moved());
    }
    grids.clear()
}
