//! Layers without cells, because a search of one ply into the layers below them gives their scores.

use marquis_core::Indexed as _;
use marquis_retro::ahead::one_ply_ahead;
use marquis_retro::verify::Unfinished;
use marquis_retro::{LayerCells, Layers, SolveLimits};
use marquis_table::TableFile;

use crate::error::FileError;
use crate::files::scores::{expect_cells, is_ahead, read_layer};
use crate::game::tabled::{LayerOf, Tabled, layer_id};
use crate::{Control, EngineError, Progress};

/// Rejects a table without cells if the game does not say that other tables imply them.
///
/// # Errors
/// The error names the table.
pub(crate) fn expect_implied<G: Tabled>(layer: LayerOf<G>, table: &TableFile) -> Result<(), FileError> {
    if !is_ahead(table) || G::is_implied(layer) {
        return Ok(());
    }
    let (expected, found) = ("the cells of the layer", "none, as if other tables implied them");
    Err(FileError::unexpected(table.name(), expected, found, "remove it and build it again"))
}

/// The layers that a search of one ply from `layer` reaches, and others below it; by the rules of the game each has
/// its own cells.
pub(crate) fn implying<G: Tabled>(index: &G::Index, layer: LayerOf<G>) -> impl Iterator<Item = LayerOf<G>> {
    let near = index.component(layer).into_iter().chain(index.child_layers(layer));
    near.filter(|&other| !G::is_implied(other))
}

/// The cells of a table; if it has none, computed from the layers that its moves lead to, and checked against its
/// header.
///
/// * `find`: the tables of other layers.
/// * `held`: layers in memory, which replace their tables.
///
/// # Errors
/// A table that is missing, cannot be read, or disagrees; an interruption.
pub(crate) fn cells_of<'t, G: Tabled>(
    index: &G::Index,
    layer: LayerOf<G>,
    table: &TableFile,
    find: &dyn Fn(LayerOf<G>) -> Option<&'t TableFile>,
    held: &mut Layers<LayerOf<G>>,
    control: &Control<'_>,
) -> Result<LayerCells, EngineError> {
    expect_implied::<G>(layer, table)?;
    if !is_ahead(table) {
        return Ok(read_layer(table)?);
    }
    let mut only_here = Vec::new();
    for other in implying::<G>(index, layer) {
        let Some(table) = find(other).filter(|_| held.get(other).is_none()) else { continue };
        layer_id::<G>(index, other).expect_slots(table)?;
        held.insert(other, read_layer(table)?);
        only_here.push(other);
    }
    let cells = look_ahead::<G>(index, layer, table, held, control);
    for other in only_here {
        held.remove(other);
    }
    let cells = cells?;
    expect_cells(&layer_id::<G>(index, layer), &cells, table)?;
    Ok(cells)
}

fn look_ahead<G: Tabled>(
    index: &G::Index,
    layer: LayerOf<G>,
    table: &TableFile,
    near: &Layers<LayerOf<G>>,
    control: &Control<'_>,
) -> Result<LayerCells, EngineError> {
    let phase = format!("{} {} {}, one ply ahead", G::ID, G::variant(index), G::layer_name(layer));
    let tell = |progress: marquis_retro::SolveProgress| {
        let (phase, done, total) = (phase.clone(), progress.done, Some(progress.of));
        control.tell(&Progress { phase, done, total, bounds: None });
    };
    let limits = SolveLimits { sharing: control.sharing(), ..SolveLimits::until(control.flag()) };
    one_ply_ahead(index, layer, near, &limits, &tell).map_err(|unfinished| match unfinished {
        Unfinished::Stopped(stopped) => stopped.into(),
        Unfinished::Missing(other) => {
            let expected = format!("the layer {} that its moves lead to", G::layer_name(other));
            let advice = "put that table in the same folder, or build it again";
            FileError::unexpected(table.name(), expected, "no usable file of it", advice).into()
        }
    })
}
