//! Incremental sums match the plain sum, both players see the same, and images of positions are consistent.

use marquis_core::{Game, Symmetric};
use marquis_eval::file::{self, WeightsFileError, WeightsIdentity};
use marquis_eval::{Evaluate, Features, Inputs, Learned, Network, SLOTS, Shape};
use marquis_games::beads::{Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow};
use marquis_play::arena::opening;
use marquis_sense::{beads, squinch, unification};
use marquis_train::Lesson;
use marquis_train::fit::{Pupil, Schedule};
use marquis_train::samples::Samples;

/// A network fitted briefly to noise, so that all its rows differ.
fn noise(shape: Shape, positions: &[marquis_eval::Digits]) -> Network {
    let features = Features::new(shape);
    let mut samples = Samples::new(features.shape().slots.len());
    for (number, digits) in positions.iter().enumerate() {
        let turn = marquis_core::Player::BOTH[number % 2];
        samples.push(digits, turn, [0.0, 1.0, 0.3][number % 3]);
    }
    let mut pupil = Pupil::new(features, 5);
    pupil.learn(&samples, &Schedule { epochs: 20, seed: 6, speed: 1.0 }, &|| true, &mut |_, _| {});
    pupil.network()
}

fn check<L: Lesson>(lesson: &L, swap: usize)
where
    L::Game: Symmetric,
{
    let mut games = Vec::new();
    for seed in 0..40 {
        let (rules, mut position) = opening(lesson, seed);
        let mut line = vec![position];
        let mut moves = Vec::new();
        while rules.over(&position).is_none() && line.len() < 60 {
            moves.clear();
            rules.moves(&position, &mut moves);
            position = rules.play(&position, moves[(seed as usize * 7 + line.len() * 13) % moves.len()]);
            line.push(position);
        }
        games.push((rules, line));
    }
    let shape = L::Sense::shape(&lesson.rules());
    let described = |rules: &L::Game, position: &<L::Game as Game>::Position| {
        let mut digits = [0; SLOTS];
        L::Sense::describe(rules, position, &mut digits);
        digits
    };
    let all: Vec<_> = games
        .iter()
        .flat_map(|(rules, line)| line.iter().map(|position| described(rules, position)))
        .collect();
    for digits in &all {
        for (digit, slot) in digits.iter().zip(&shape.slots) {
            assert!(*digit < slot.states, "{digit} of {slot:?}");
        }
    }
    let learned = Learned::<L::Sense>::new(noise(shape.clone(), &all));
    let mut leanings = std::collections::BTreeSet::new();
    for (rules, line) in &games {
        let mut state = learned.see(rules, &line[0]);
        let mut next = state.clone();
        for pair in line.windows(2) {
            learned.follow(rules, (&pair[0], &state), &pair[1], &mut next);
            assert_eq!(next, learned.see(rules, &pair[1]), "{:?} to {:?}", pair[0], pair[1]);
            std::mem::swap(&mut state, &mut next);
            let here = learned.leaning(rules, &pair[1], &state);
            leanings.insert(here);
            let swapped = rules.image(&pair[1], swap);
            assert_eq!(
                learned.leaning(rules, &swapped, &learned.see(rules, &swapped)),
                here,
                "{:?}",
                pair[1]
            );
            for number in 0..shape.images.len() {
                let image = rules.image(&pair[1], number);
                assert_eq!(shape.image(number, &described(rules, &pair[1])), described(rules, &image));
            }
        }
    }
    assert!(leanings.len() > 50, "{} different leanings", leanings.len());
}

#[test]
fn sums_follow_the_moves_and_both_players_see_the_same() {
    for side in [3, 4, 5].map(|side| Side::new(side).expect("a side")) {
        check(&unification::UnificationLesson::<Approach>::new(side), 12);
        check(&unification::UnificationLesson::<Flow>::new(side), 12);
    }
    check(&beads::BeadLesson::<Leap>::new(), 12);
    check(&beads::BeadLesson::<Sandwich>::new(), 12);
    for (size, filled) in [(8, [3, 3]), (6, [1, 2])] {
        check(&squinch::SquinchLesson::new(Squinch::new(size, size).expect("a board"), filled), 2);
    }
}

#[test]
fn weights_are_read_as_they_were_written_and_no_others_are() {
    let lesson = unification::UnificationLesson::<Approach>::new(Side::new(3).expect("a side"));
    let shape = || <unification::Sense<Approach> as Inputs>::shape(&lesson.rules());
    let network = Pupil::new(Features::new(shape()), 1).network();
    let bytes = file::write(&lesson.identity(), &network);
    let again = file::read(&lesson.identity(), shape(), &bytes).expect("the written network");
    assert_eq!(again.weights(), network.weights());
    let read = |bytes: &[u8]| file::read(&lesson.identity(), shape(), bytes).map(|_| ()).unwrap_err();
    let expected = bytes.len();
    assert_eq!(read(b"nonsense"), WeightsFileError::Foreign);
    assert_eq!(read(&bytes[..20]), WeightsFileError::Size { expected, found: 20 });
    assert_eq!(read(&bytes[..expected - 1]), WeightsFileError::Size { expected, found: expected - 1 });
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(read(&longer), WeightsFileError::Size { expected, found: expected + 1 });
    for place in [60, 4000, expected - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert_eq!(read(&damaged), WeightsFileError::Damaged, "byte {place}");
    }
    let other = unification::UnificationLesson::<Flow>::new(Side::new(3).expect("a side"));
    let of_other_game = file::read(&other.identity(), shape(), &bytes);
    assert_eq!(of_other_game.map(|_| ()).unwrap_err(), WeightsFileError::Other);
    let later = WeightsIdentity { version: 99, ..lesson.identity() };
    assert_eq!(file::read(&later, shape(), &bytes).map(|_| ()).unwrap_err(), WeightsFileError::Other);
}

#[test]
fn a_frame_is_unpacked_no_further_than_weights_may_be_long() {
    // Window and blocks of 128 KiB, all of the same byte: 8 MiB in 264 bytes.
    let block = |is_last: u32| (is_last | 1 << 1 | (128 << 10) << 3).to_le_bytes();
    let mut frame = b"\x28\xB5\x2F\xFD\x00\x38".to_vec();
    for number in 1..=64 {
        frame.extend(&block(u32::from(number == 64))[..3]);
        frame.push(b'M');
    }
    assert_eq!(file::unpacked(&frame).map(|plain| plain.len()), Ok(file::MOST_BYTES + 1));
    assert_eq!(file::head(&frame), Err(WeightsFileError::Foreign));
    assert_eq!(file::unpacked(&frame[..20]), Err(WeightsFileError::Damaged));
}
