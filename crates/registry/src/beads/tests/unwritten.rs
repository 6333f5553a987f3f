//! The layers of Swish and Squeeze that are not written.

use marquis_engine::BuildQuery;
use marquis_engine::game::Tabled as _;
use marquis_games::beads::{Capture, Leap, Sandwich};

use super::super::Adapter;
use crate::tests::ahead::count_unwritten;

#[test]
fn no_move_of_a_mover_who_is_ahead_leads_to_such_a_layer() {
    fn check<R: Capture>() {
        let (pieces, beads) = (Some("2v1".to_owned()), Some(2));
        let query = BuildQuery { side: Some(3), pieces, beads, ..BuildQuery::new(Adapter::<R>::ID) };
        assert!(count_unwritten::<Adapter<R>>(&query) > 10);
    }
    check::<Leap>();
    check::<Sandwich>();
}
