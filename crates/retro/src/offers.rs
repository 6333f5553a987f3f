//! The best scores that the moves of positions offer, from the entries of the successors.
//!
//! Single look-ups would spend half of the time waiting for bytes of large layers. So some positions are processed
//! together: the cells of all their successors are prefetched before the first entry is read.

use std::hash::Hash;

use marquis_core::{Indexed, Score, Slot};

use crate::cell::{LayerCells, Preference};
use crate::probe::Layers;

/// Positions that are processed together.
const TOGETHER: usize = 16;

/// A layer and those that one move reaches: they are few and used all the time.
pub(crate) struct NearLayers<'a, L>(Vec<(L, &'a LayerCells)>);

impl<'a, L: Copy + Eq + Hash> NearLayers<'a, L> {
    /// The layers of a layer's component and below it, as far as they are in `tables`.
    pub(crate) fn of<G: Indexed<Layer = L>>(game: &G, layer: L, tables: &'a Layers<L>) -> Self {
        let near = game.component(layer).into_iter().chain(game.child_layers(layer));
        Self(near.filter_map(|layer| Some((layer, tables.get(layer)?))).collect())
    }

    #[inline]
    pub(crate) fn cells(&self, layer: L) -> Result<&'a LayerCells, L> {
        self.0.iter().find(|(own, _)| *own == layer).map(|&(_, cells)| cells).ok_or(layer)
    }
}

/// The content of a slot.
pub(crate) enum Offered<P> {
    /// No position.
    Unused,
    /// A position, with the best score that its moves offer; `None` if one of them leads to an unused index.
    Best(P, Option<Score>),
}

/// Visits slots of a layer in order, with the offers of their positions' moves.
///
/// # Errors
/// A missing layer that a move leads to.
pub(crate) fn offers<G: Indexed>(
    game: &G,
    layer: G::Layer,
    near: &NearLayers<'_, G::Layer>,
    mut slots: impl Iterator<Item = u64>,
    mut visit: impl FnMut(Slot, Offered<G::Position>),
) -> Result<(), G::Layer> {
    let mut asked = OfferContext { game, near, moves: Vec::new(), places: Vec::new() };
    let mut questions = Vec::with_capacity(TOGETHER);
    loop {
        for slot in slots.by_ref().map(Slot).take(TOGETHER) {
            questions.push((slot, asked.ask(layer, slot)?));
        }
        if questions.is_empty() {
            return Ok(());
        }
        let mut first = 0;
        for (slot, question) in questions.drain(..) {
            let offered = match question {
                SlotQuestion::Unused => Offered::Unused,
                SlotQuestion::Over(position, score) => Offered::Best(position, Some(score)),
                SlotQuestion::GoesOn(position, end) => {
                    let places = &asked.places[first..end];
                    first = end;
                    Offered::Best(position, best(places))
                }
            };
            visit(slot, offered);
        }
        asked.places.clear();
    }
}

/// A slot before any entry is read.
enum SlotQuestion<P> {
    Unused,
    Over(P, Score),
    /// With the end of the list of its successors' places.
    GoesOn(P, usize),
}

struct OfferContext<'n, 'a, G: Indexed> {
    game: &'n G,
    near: &'n NearLayers<'a, G::Layer>,
    moves: Vec<G::Move>,
    places: Vec<(&'a LayerCells, Slot)>,
}

impl<G: Indexed> OfferContext<'_, '_, G> {
    /// Prefetches the cells of all successors of a slot's position.
    fn ask(&mut self, layer: G::Layer, slot: Slot) -> Result<SlotQuestion<G::Position>, G::Layer> {
        let Self { game, near, moves, places } = self;
        let Some(position) = game.position(layer, slot) else { return Ok(SlotQuestion::Unused) };
        if let Some(over) = game.over(&position) {
            let score = Score::finished(over.outcome.for_mover(game.turn(&position)));
            return Ok(SlotQuestion::Over(position, score));
        }
        moves.clear();
        game.moves(&position, moves);
        let after = moves.iter().map(|&mv| game.play(&position, mv));
        let (mut last, mut missing) = (None, None);
        game.number_each(after, |layer, slot| {
            let cells = match last {
                Some((own, cells)) if own == layer => cells,
                _ => match near.cells(layer) {
                    Ok(cells) => cells,
                    Err(layer) => return missing = Some(layer),
                },
            };
            last = Some((layer, cells));
            cells.send_for(slot);
            places.push((cells, slot));
        });
        missing.map_or(Ok(SlotQuestion::GoesOn(position, places.len())), Err)
    }
}

/// The best entry for the player to move there; `None` if one of them is of an unused index.
fn best(places: &[(&LayerCells, Slot)]) -> Option<Score> {
    let wanted = places.iter().map(|&(cells, slot)| Preference::of(cells.code(slot)));
    wanted.fold(Preference::LEAST, Ord::max).score().map(Score::before_move)
}
