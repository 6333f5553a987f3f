//! Layers solved with and without rows, as the memory allows.

use std::cell::Cell;

use marquis_core::Immobile;
use marquis_engine::game::{Method, MethodCost};
use marquis_games::beads::{BeadGame, BeadIndex, BeadLayer, Capture, Leap, Sandwich, Scope};
use marquis_retro::layered::Layer;

use super::super::Adapter;

/// All layers of a set-up; `choose` gets the methods of each bundle.
fn solved<R: Capture>(text: &str, choose: impl Fn(&[MethodCost]) -> Method) -> Vec<Layer<BeadLayer>>
where
    Adapter<R>: marquis_engine::game::Tabled<Index = BeadIndex<R>>,
{
    let (game, position) = BeadGame::<R>::parse(text, Immobile::Loss).expect("a set-up");
    let index = BeadIndex::<R>::new(Scope::of_position(&game, &position));
    crate::tests::solved::solved::<Adapter<R>>(&index, index.layers(), choose)
}

#[test]
fn a_layer_of_rooks_has_the_same_cells_by_rows_and_by_un_moves() {
    fn check<R: Capture>()
    where
        Adapter<R>: marquis_engine::game::Tabled<Index = BeadIndex<R>>,
    {
        let text = "w1w/4/1oo2/4/1bb w";
        let more = Cell::new(0);
        let without = solved::<R>(text, |methods| {
            assert_eq!(
                methods[..2].iter().map(|cost| cost.method).collect::<Vec<_>>(),
                [Method::Rows, Method::UnMoves]
            );
            more.set(more.get() + methods[0].memory_bytes - methods[1].memory_bytes);
            Method::UnMoves
        });
        assert!(more.get() > 1000, "rows take a cell a slot and more, not {}", more.get());
        assert!(without.len() > 5 && without == solved::<R>(text, |_| Method::Rows), "{}", R::ID);
    }
    check::<Leap>();
    check::<Sandwich>();
}
