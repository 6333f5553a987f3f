//! Requirements of the solvers: keys that distinguish positions, and progress that only increases.

use std::collections::HashMap;

use marquis_tests::draw::Draw;
use marquis_tests::fast::Fast;
use marquis_tests::games;
use marquis_tests::reference::Immobile;
use marquis_tests::setups;

#[test]
fn different_positions_have_different_keys() {
    let mut draw = Draw::new(64);
    for game in games::without_throws() {
        let fast = Fast::of(game, Immobile::Loss);
        let mut position_of_key: HashMap<u64, String> = HashMap::new();
        for _ in 0..500 {
            // Keys are only unique within one board and target, so positions of one game are compared.
            let start = match game {
                "squish" | "flowish" => setups::unification(&mut draw, 4),
                "swish" | "squeeze" => "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10".to_owned(),
                "squinch" => setups::squinch(&mut draw, 5, 6),
                _ => games::starts(game)[0].position.clone(),
            };
            let mut position = start;
            for _ in 0..40 {
                let known = position_of_key.entry(fast.key(&position)).or_insert_with(|| position.clone());
                assert_eq!(*known, position, "two positions of {game} with one key");
                let moves = fast.moves(&position, None);
                if moves.is_empty() {
                    break;
                }
                position.clone_from(&draw.pick(&moves).1);
            }
        }
    }
}

#[test]
fn progress_in_squinch_rises_with_every_move_but_a_pass() {
    let fast = Fast::of("squinch", Immobile::Loss);
    let mut draw = Draw::new(17);
    for files in 2..=8 {
        for ranks in 1..=8 {
            for _ in 0..100 {
                let position = setups::squinch(&mut draw, files, ranks);
                let before = fast.progress(&position);
                for (mv, next) in fast.moves(&position, None) {
                    let after = fast.progress(&next);
                    let rises = if mv == "pass" { after == before } else { after > before };
                    assert!(rises, "{mv} in {position}: from {before} to {after}");
                }
            }
        }
    }
}

#[test]
fn after_a_pass_in_squinch_the_other_player_can_move() {
    let fast = Fast::of("squinch", Immobile::Loss);
    let mut draw = Draw::new(18);
    let mut passes = 0;
    for _ in 0..20_000 {
        let (files, ranks) = (draw.between(2, 4), draw.between(2, 4));
        let position = setups::squinch(&mut draw, files, ranks);
        if let [(mv, next)] = &fast.moves(&position, None)[..]
            && mv == "pass"
        {
            passes += 1;
            assert!(
                fast.moves(next, None).iter().all(|(mv, _)| mv != "pass"),
                "nobody can move in {position}"
            );
        }
    }
    assert!(passes > 0, "no position without a move was drawn");
}
