//! The layers of Squish and Flowish that are not written.

use marquis_engine::BuildQuery;
use marquis_engine::game::Tabled as _;
use marquis_games::unification::{Approach, Flow};

use super::super::{Adapter, Member};
use crate::tests::ahead::count_unwritten;

#[test]
fn no_move_of_a_mover_with_more_pieces_leads_to_such_a_layer() {
    fn check<R: Member>() {
        let pieces = Some("4v3".to_owned());
        let query = BuildQuery { side: Some(3), pieces, ..BuildQuery::new(Adapter::<R>::ID) };
        assert_eq!(count_unwritten::<Adapter<R>>(&query), 6);
    }
    check::<Approach>();
    check::<Flow>();
}
