//! Each game's levels rise: positions and care never decrease from one level to the next.

use marquis_core::Immobile;
use marquis_games::beads::{BeadGame, Beads, Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow, Unification};
use marquis_play::{Guide as _, Ladder, Level, PositionJudge as _};
use marquis_sense::{Weights, beads, squinch, unification};

fn side(cells: u8) -> Side {
    Side::new(cells).expect("a side")
}

#[test]
fn the_levels_of_every_game_rise() {
    let (target, immobile) = (Beads(10), Immobile::Loss);
    let ladders: [(&str, Ladder); 6] = [
        ("squish", unification::Sense::<Approach>::default().ladder(&Unification::new(side(4)))),
        ("flowish", unification::Sense::<Flow>::default().ladder(&Unification::new(side(4)))),
        ("swish", beads::Sense::<Leap>::default().ladder(&BeadGame::new(side(5), target, immobile))),
        ("squeeze", beads::Sense::<Sandwich>::default().ladder(&BeadGame::new(side(5), target, immobile))),
        ("squinch", squinch::Sense.ladder(&Squinch::new(8, 8).expect("a board"))),
        ("senet", Weights::embedded().senet().ladder()),
    ];
    for (game, ladder) in ladders {
        let steps: Vec<_> = Level::all().filter_map(|level| ladder.strength(level)).collect();
        let rises = steps.windows(2).all(|two| {
            two[1].nodes_a_move >= two[0].nodes_a_move
                && (two[1].spread < two[0].spread || two[1].nodes_a_move > two[0].nodes_a_move)
        });
        assert!(rises, "{game}: {steps:?}");
    }
    assert_ne!(ladders[2].1, ladders[3].1, "what leans far in one game leans little in the other");
}
