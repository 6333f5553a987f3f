//! A rotated, mirrored or colour-swapped position keeps its end and its moves.

use std::collections::{BTreeMap, BTreeSet};

use marquis_tests::draw::Draw;
use marquis_tests::fast::Fast;
use marquis_tests::games;
use marquis_tests::reference::symmetry::{Image, images};
use marquis_tests::reference::{Immobile, Rules};
use marquis_tests::setups;

/// Moves by text, with the positions after them.
fn moves(fast: &Fast, position: &str, throw: Option<i32>) -> BTreeMap<String, String> {
    fast.moves(position, throw).into_iter().collect()
}

fn check_image(game: &str, fast: &Fast, throw: Option<i32>, position: &str, image: Image) {
    let at = format!("{game} {position} throw {throw:?} {image:?}");
    let seen = image.position(game, position);
    assert_eq!(fast.over(position), fast.over(&seen), "end of {at}");
    let expected: BTreeMap<String, String> = moves(fast, position, throw)
        .into_iter()
        .map(|(mv, next)| (image.mv(game, position, &mv), image.position(game, &next)))
        .collect();
    assert_eq!(moves(fast, &seen, throw), expected, "moves of {at}");
}

/// The fast rules map a position to the same images as the reference, and choose the same representative for each of
/// them.
fn check_images(game: &str, fast: &Fast, position: &str) {
    let fast_images = fast.images(position);
    assert_eq!(fast_images[0], position, "{game}");
    let slow: BTreeSet<String> = images(game).iter().map(|image| image.position(game, position)).collect();
    let representative = fast.representative(position);
    assert!(slow.contains(&representative), "{game} {position} stands for itself as {representative}");
    for image in &slow {
        assert_eq!(fast.representative(image), representative, "{game} {position} seen as {image}");
    }
    assert_eq!(fast_images.into_iter().collect::<BTreeSet<_>>(), slow, "images of {game} {position}");
}

fn check(game: &str, position: &str) {
    let throws = Rules::of(game, Immobile::Loss).throws();
    for immobile in [Immobile::Loss, Immobile::Pass] {
        let fast = Fast::of(game, immobile);
        if game != "senet" {
            check_images(game, &fast, position);
        }
        for &throw in &throws {
            for image in images(game) {
                check_image(game, &fast, throw, position, image);
            }
        }
    }
}

#[test]
fn every_game_is_the_same_seen_as_an_image() {
    let mut draw = Draw::new(5);
    for game in games::all() {
        let (fast, throws) = (Fast::of(game, Immobile::Loss), Rules::of(game, Immobile::Loss).throws());
        for start in games::named(game).starts() {
            let mut position = start.position;
            for _ in 0..30 {
                check(game, &position);
                let moves = fast.moves(&position, *draw.pick(&throws));
                if moves.is_empty() {
                    break;
                }
                position = draw.pick(&moves).1.clone();
            }
        }
    }
}

#[test]
fn moves_turn_with_a_hexagonal_board() {
    let mut draw = Draw::new(12);
    for side in 2..=5 {
        for _ in 0..60 {
            let position = setups::unification(&mut draw, side);
            check("squish", &position);
            check("flowish", &position);
            let position = setups::rooks_and_beads(&mut draw, side);
            check("swish", &position);
            check("squeeze", &position);
        }
    }
}

#[test]
fn squinch_is_the_same_mirrored_and_from_the_other_side() {
    let mut draw = Draw::new(4);
    for files in 2..=8 {
        for ranks in 1..=8 {
            for _ in 0..20 {
                check("squinch", &setups::squinch(&mut draw, files, ranks));
            }
        }
    }
}

#[test]
fn senet_is_the_same_with_colours_swapped() {
    let mut draw = Draw::new(2);
    for white in 0..=5 {
        for black in 0..=5 {
            for _ in 0..50 {
                check("senet", &setups::senet(&mut draw, white, black));
            }
        }
    }
}

#[test]
fn senet_seen_from_the_thrower_is_the_position_or_its_colour_swap() {
    let fast = Fast::of("senet", Immobile::Loss);
    let mut draw = Draw::new(3);
    for pieces in 1..=5 {
        for _ in 0..50 {
            let position = setups::senet(&mut draw, pieces, 6 - pieces);
            let [own, swapped] = images("senet")[..] else { panic!("two images") };
            let both = [own, swapped].map(|image| image.position("senet", &position));
            let [seen, seen_swapped] = both.each_ref().map(|image| fast.representative(image));
            assert!(both.contains(&seen), "{position} is seen as {seen}");
            assert_eq!(seen, seen_swapped, "{position}");
        }
    }
}
