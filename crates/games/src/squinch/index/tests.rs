//! Numbers of positions: one each, shared by all images, with moves to smaller placements.

use marquis_core::{Game, Indexed, Notation as _, Player, Slot, Symmetric};

use super::camp::Camp;
use super::{Checkers, SquinchIndex};
use crate::squinch::{Move, Squinch};

#[test]
fn every_slot_is_a_hole_or_the_number_of_its_position_and_of_all_its_images() {
    for (files, ranks, most) in [(2, 2, 4), (3, 3, 3), (2, 4, 3), (4, 1, 3), (5, 3, 2), (8, 8, 1)] {
        let game = Squinch::new(files, ranks).unwrap();
        let index = SquinchIndex::new(game, most);
        for layer in (0..=most).flat_map(|mover| (0..=most).map(move |opponent| Checkers { mover, opponent }))
        {
            for slot in (0..index.slots(layer)).map(Slot) {
                let Some(position) = index.position(layer, slot) else { continue };
                for number in 0..game.images() {
                    let image = game.image(&position, number);
                    assert_eq!(index.slot(&image), (layer, slot), "{}", game.position_text(&image));
                }
            }
        }
    }
}

/// Counts the positions of a layer one checker after the other, without any numbering.
fn positions_counted(game: Squinch, layer: Checkers) -> usize {
    let start = std::collections::HashSet::from([crate::squinch::Position::empty(Player::First)]);
    let owners = [(Player::First, layer.mover), (Player::Second, layer.opponent)];
    let positions = owners.iter().flat_map(|&(owner, checkers)| (0..checkers).map(move |_| owner)).fold(
        start,
        |positions, owner| {
            let squares = (0..game.ranks())
                .flat_map(|rank| (0..game.files()).map(move |file| super::Square::new(file, rank)));
            let with = |position: &crate::squinch::Position, square| {
                let mut position = *position;
                let free = position.stack(square).is_none_or(|stack| stack.owner == owner);
                free.then(|| {
                    position.add_checker(square, owner);
                    position
                })
            };
            squares.flat_map(|square| positions.iter().filter_map(move |p| with(p, square))).collect()
        },
    );
    let images = positions.into_iter().map(|position| position.min(game.image(&position, 1)));
    images.collect::<std::collections::HashSet<_>>().len()
}

#[test]
fn a_layer_has_every_position_once_up_to_the_mirror() {
    for (files, ranks, mover, opponent) in [(3, 3, 2, 2), (2, 3, 3, 1), (4, 2, 1, 2), (3, 2, 0, 2)] {
        let game = Squinch::new(files, ranks).unwrap();
        let layer = Checkers { mover, opponent };
        let index = SquinchIndex::new(game, mover.max(opponent));
        let slots = (0..index.slots(layer)).filter(|&slot| index.position(layer, Slot(slot)).is_some());
        assert_eq!(slots.count(), positions_counted(game, layer), "{files}x{ranks} {layer:?}");
    }
}

#[test]
fn moves_lead_to_earlier_levels_and_the_mirror_swaps_images() {
    let game = Squinch::new(4, 4).unwrap();
    let index = SquinchIndex::new(game, 3);
    for checkers in 0..=3 {
        let camp = index.camp(checkers);
        assert_eq!(u128::from(camp.count()), Camp::placements(game, checkers));
        for number in 0..camp.count() {
            let image = camp.mirror(number);
            let mut turned: Vec<u8> =
                camp.squares(number).iter().map(|&square| square / 4 * 4 + 3 - square % 4).collect();
            turned.sort_unstable();
            assert_eq!(camp.squares(image), turned);
            assert!(camp.row(number).is_some() || camp.row(image).is_some());
            assert!(camp.row(number).is_none_or(|row| camp.of_row(row) == number));
            let (steps, _) = index.led_to(checkers, number);
            assert!(steps.iter().all(|&to| to < camp.level(number).start));
        }
    }
}

#[test]
fn layers_below_are_those_that_bearing_off_leads_to() {
    let game = Squinch::new(3, 2).unwrap();
    let index = SquinchIndex::new(game, 2);
    for layer in (1..=2).flat_map(|mover| (1..=2).map(move |opponent| Checkers { mover, opponent })) {
        for position in (0..index.slots(layer)).filter_map(|slot| index.position(layer, Slot(slot))) {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            for mv in moves {
                let (after, _) = index.slot(&game.play(&position, mv));
                let layers = if matches!(mv, Move::Off { .. }) {
                    index.child_layers(layer)
                } else {
                    index.component(layer)
                };
                assert!(layers.contains(&after), "{}", game.position_text(&position));
            }
        }
    }
}

/// The rank of a rising list of squares, as in `tablebases/FORMAT.md`.
fn rank_on_the_page(squares: &[u8]) -> u64 {
    let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1));
    squares.iter().zip(1..).map(|(&square, i)| choose(u64::from(square) + i - 1, i)).sum()
}

fn mirrored(files: u8, squares: &[u8]) -> Vec<u8> {
    let mut image: Vec<u8> = squares.iter().map(|s| s / files * files + files - 1 - s % files).collect();
    image.sort_unstable();
    image
}

/// Whether a list is the chosen one of two images, its own image, or the other one.
fn kind_on_the_page(files: u8, squares: &[u8]) -> std::cmp::Ordering {
    rank_on_the_page(squares).cmp(&rank_on_the_page(&mirrored(files, squares)))
}

/// All placements of `checkers` checkers in the order of that page.
fn placements_on_the_page(game: Squinch, checkers: u8) -> Vec<Vec<u8>> {
    let (files, squares) = (game.files(), game.files() * game.ranks());
    let mut lists = vec![Vec::new()];
    for _ in 0..checkers {
        let longer = |list: &Vec<u8>| {
            let (list, last) = (list.clone(), list.last().copied().unwrap_or(0));
            (last..squares).map(move |square| [&list[..], &[square]].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists.sort_by_key(|list| {
        let to_go: u8 = list.iter().map(|square| game.ranks() - square / files).sum();
        let height = |square: u8| list.iter().filter(|&&other| other == square).count();
        let squared: usize = (0..squares).map(|square| height(square).pow(2)).sum();
        let (rank, image) = (rank_on_the_page(list), rank_on_the_page(&mirrored(files, list)));
        (to_go, std::cmp::Reverse(squared), kind_on_the_page(files, list), rank.min(image))
    });
    lists
}

#[test]
fn slots_are_those_of_the_page_on_the_format() {
    let (game, most) = (Squinch::new(3, 3).unwrap(), 2);
    let (index, files) = (SquinchIndex::new(game, most), 3);
    let numbered: Vec<_> = (0..=most).map(|checkers| placements_on_the_page(game, checkers)).collect();
    let number = |list: &Vec<u8>| numbered[list.len()].iter().position(|own| own == list).unwrap() as u64;
    for layer in (0..=most).flat_map(|mover| (0..=most).map(move |opponent| Checkers { mover, opponent })) {
        for slot in 0..index.slots(layer) {
            let Some(position) = index.position(layer, Slot(slot)) else { continue };
            let seen = |owner: Player| {
                let mut list = Vec::new();
                for square in 0..files * game.ranks() {
                    let (file, rank) = (square % files, square / files);
                    let rank = if owner == Player::First { rank } else { game.ranks() - 1 - rank };
                    let stack = position.stack(super::Square::new(file, rank));
                    let height = stack.filter(|stack| stack.owner == owner).map_or(0, |stack| stack.height);
                    list.extend(std::iter::repeat_n(square, height.into()));
                }
                list
            };
            let (own, other) = (seen(position.turn()), seen(position.turn().opponent()));
            let (mut row, mut column) = if own.len() > other.len() { (own, other) } else { (other, own) };
            match kind_on_the_page(files, &row) {
                std::cmp::Ordering::Greater => {
                    (row, column) = (mirrored(files, &row), mirrored(files, &column));
                }
                std::cmp::Ordering::Equal if number(&mirrored(files, &column)) < number(&column) => {
                    column = mirrored(files, &column);
                }
                _ => {}
            }
            let rows = &numbered[row.len()][..number(&row) as usize];
            let rows = rows.iter().filter(|row| kind_on_the_page(files, row).is_le()).count() as u64;
            let columns = numbered[column.len()].len() as u64;
            assert_eq!(slot, rows * columns + number(&column), "{}", game.position_text(&position));
        }
    }
}
