//! Layers solved with and without rows.

use marquis_engine::game::Method;
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Flow, Material, Unification, UnificationIndex};
use marquis_retro::layered::Layer;

use super::super::{Adapter, Member};

fn solved<R: Member>(most: u8, method: Method) -> Vec<Layer<Material>> {
    let index = UnificationIndex::<R>::new(Unification::new(Side::new(3).expect("a side")), most);
    let wanted = [Material { mover: most, opponent: most - 1 }];
    crate::tests::solved::solved::<Adapter<R>>(&index, wanted, |_| method)
}

#[test]
fn a_layer_has_the_same_cells_by_rows_and_by_un_moves() {
    fn check<R: Member>(most: u8) {
        let (without, with) = (solved::<R>(most, Method::UnMoves), solved::<R>(most, Method::Rows));
        assert!(without.len() > 5 && without == with, "{}", R::ID);
    }
    check::<Approach>(4);
    check::<Flow>(4);
}
