//! The built-in weights open; a folder replaces them, and reports the files that it leaves out.

use std::fs;

use marquis_core::{ChanceNotation as _, Immobile};
use marquis_eval::file::{WeightsFileError, WeightsIdentity};
use marquis_eval::{Calibration, Estimator, Features, Inputs as _, Leaning, file};
use marquis_games::beads::{BeadGame, Beads, Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::senet::Senet;
use marquis_games::senet::{THROWS, parse};
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow, Unification};
use marquis_play::arena::Openings as _;
use marquis_play::{Budget, Expectation, NoOracle, PositionJudge as _};
use marquis_sense::weights::EMBEDDED;
use marquis_sense::{Schooled, Weights, WeightsError, beads, unification};
use marquis_train::fit::Pupil;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

fn side(cells: u8) -> Side {
    Side::new(cells).expect("a side")
}

fn packed(name: &str) -> &'static [u8] {
    EMBEDDED.iter().find(|(other, _)| *other == name).expect("it comes with the program").1
}

fn bytes_of(name: &str) -> Vec<u8> {
    file::unpacked(packed(name)).expect("weights").into_owned()
}

#[test]
fn each_board_that_weights_come_for_has_its_network_and_a_calibration() {
    fn check<G: Schooled>(rules: &G, start: &G::Position, name: &str) {
        assert_eq!(rules.schooling().name(), name);
        let Estimator::Learned(learned) = Weights::embedded().estimator(rules) else {
            panic!("terms for {name}")
        };
        let board = rules.schooling();
        assert_eq!(file::write(&board.identity(), learned.network()), bytes_of(name));
        assert_ne!(Weights::embedded().calibration(rules, start), Calibration::NONE, "{name}");
    }
    let squish = Unification::<Approach>::new(side(4));
    check(&squish, &squish.start(), "squish-4");
    let flowish = Unification::<Flow>::new(side(4));
    check(&flowish, &flowish.start(), "flowish-4");
    let flowish = Unification::<Flow>::new(side(5));
    check(&flowish, &flowish.start(), "flowish-5");
    let (_, set_up) = beads::BeadLesson::<Leap>::new().begin(&mut SmallRng::seed_from_u64(1));
    // The target does not matter.
    for target in [3, 10] {
        check(&BeadGame::<Leap>::new(side(5), Beads(target), Immobile::Loss), &set_up, "swish-5");
        check(&BeadGame::<Sandwich>::new(side(5), Beads(target), Immobile::Loss), &set_up, "squeeze-5");
    }
    let squinch = Squinch::new(6, 6).expect("a board");
    check(&squinch, &squinch.start(2).expect("room for two ranks"), "squinch-6x6");
    let squinch = Squinch::new(8, 8).expect("a board");
    check(&squinch, &squinch.start(3).expect("room for three ranks"), "squinch-8x8");
}

#[test]
fn the_judge_of_senet_is_near_what_tables_say_of_four_pieces_each_which_it_never_saw() {
    let judge = Weights::embedded().senet();
    // `tablebases/senet/facts-4.txt`.
    let (_, start) = parse("wbwbwbwb2/10/10 b").expect("a position");
    let chance = judge.chance(&Senet, &start);
    assert!((chance - 0.505_163).abs() < 0.01, "{chance}");
    let best = |throws, score| {
        let throw = THROWS.into_iter().find(|throw| throw.score == score).expect("a throw");
        let weighed = Expectation::new(&Senet, &*judge).weigh(&start, throw, throws);
        Senet.move_text(&start, weighed[0].mv)
    };
    for (score, wanted) in [(1, "2x3"), (3, "2x5"), (4, "8-12")] {
        assert_eq!(best(0, score), wanted);
        assert_eq!(best(1, score), wanted);
    }
}

#[test]
fn all_weights_are_as_small_as_promised_and_have_a_page() {
    let mut all = 0;
    for (name, bytes) in EMBEDDED {
        assert!(bytes.len() <= 1 << 20, "{name}");
        all += bytes.len();
        let page = format!("{}/weights/{name}.md", env!("CARGO_MANIFEST_DIR"));
        let page = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{page}: {error}"));
        let sum = blake3::hash(&file::unpacked(bytes).expect("weights")).to_hex();
        assert!(page.contains(sum.as_str()), "{name}: the page is of other weights, these are {sum}");
    }
    assert!(all <= 5 << 19);
}

#[test]
fn every_other_board_is_judged_by_terms() {
    let weights = Weights::embedded();
    let rules = Unification::<Approach>::new(side(3));
    assert!(matches!(weights.estimator(&rules), Estimator::Terms(_)));
    let mut searcher = weights.searcher(&rules, NoOracle, 1 << 20);
    let thought = searcher.think(&rules, &[], &rules.start(), &Budget::nodes(2000), &mut |_| {});
    assert!(!thought.line.is_empty());
}

#[test]
fn a_folder_gives_its_own_weights_and_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("a file");
    // Valid weights for a board without built-in ones, with a calibration.
    let rules = Unification::<Approach>::new(side(3));
    let features = || Features::new(unification::Sense::shape(&rules));
    let network = Pupil::new(features(), 1).network();
    let board = rules.schooling();
    put("squish-3.net", &file::write(&board.identity(), &network));
    put("calibration.txt", b"# mine\nsquish-3 0.5 0.1\n");
    // All kinds of invalid files.
    put("notes.txt", b"no weights");
    put("mine.net", &bytes_of("squish-4"));
    put("squish-04.net", &bytes_of("squish-4"));
    put("squish-9.net", packed("squish-4"));
    put("flowish-4.net", packed("squish-4"));
    put("senet.net", &bytes_of("senet")[..1000]);
    put("swish-5.net", &bytes_of("senet"));
    let mut damaged = bytes_of("squeeze-5");
    damaged[5000] ^= 1;
    put("squeeze-5.net", &damaged);
    let later = WeightsIdentity { version: 99, ..board.identity() };
    put("squish-5.net", &file::write(&later, &network));
    put("squinch-6x6.net", &[7; 1 << 21]);
    put("squinch-8x8.net", &packed("squinch-8x8")[..1000]);

    let mut weights = Weights::embedded();
    let left_out = weights.read_folder(folder.path()).expect("a folder");
    let mut found: Vec<(String, Option<WeightsFileError>)> = left_out
        .iter()
        .map(|error| match error {
            WeightsError::Name { path } => (path.display().to_string(), None),
            WeightsError::Weights { path, source } => (path.display().to_string(), Some(source.clone())),
            other => panic!("{other}"),
        })
        .map(|(path, error)| (path.rsplit('/').next().expect("a name").to_owned(), error))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = bytes_of("senet").len();
    let wanted = [
        ("flowish-4.net", Some(WeightsFileError::Other)),
        ("mine.net", None),
        ("senet.net", Some(WeightsFileError::Size { expected, found: 1000 })),
        ("squeeze-5.net", Some(WeightsFileError::Damaged)),
        ("squinch-6x6.net", Some(WeightsFileError::Foreign)),
        ("squinch-8x8.net", Some(WeightsFileError::Damaged)),
        ("squish-04.net", None),
        ("squish-5.net", Some(WeightsFileError::Other)),
        ("squish-9.net", None),
        ("swish-5.net", Some(WeightsFileError::Foreign)),
    ];
    assert_eq!(found, wanted.map(|(name, error)| (name.to_owned(), error)));

    let Estimator::Learned(learned) = weights.estimator(&rules) else { panic!("it was read") };
    assert_eq!(learned.network().weights(), network.weights());
    assert_eq!(weights.calibration(&rules, &rules.start()), Calibration { slope: 0.5, draws: 0.1 });
    // Boards whose files were left out are judged as before.
    let flowish = Unification::<Flow>::new(side(4));
    assert!(matches!(weights.estimator(&flowish), Estimator::Learned(_)));
    let of = |weights: &Weights| weights.calibration(&flowish, &flowish.start());
    assert_eq!(of(&weights), of(&Weights::embedded()));
}

#[test]
fn weights_of_ones_own_are_taken_at_their_word_until_they_are_calibrated() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("squish-4.net"), bytes_of("squish-4")).expect("a file");
    let mut weights = Weights::embedded();
    assert!(weights.read_folder(folder.path()).expect("a folder").is_empty());
    let rules = Unification::<Approach>::new(side(4));
    assert_eq!(weights.calibration(&rules, &rules.start()), Calibration::NONE);
    // The tests of the parser cover all invalid lines.
    for (text, line) in [("squish-4 0.9 0.1\nsquish-4 0 0", 2), ("squish-4 NaN 0", 1)] {
        fs::write(folder.path().join("calibration.txt"), text).expect("a file");
        let left_out = weights.read_folder(folder.path()).expect("a folder");
        let [WeightsError::Calibration { line: found, .. }] = &left_out[..] else { panic!("{left_out:?}") };
        assert_eq!(*found, line, "{text}");
        assert_eq!(weights.calibration(&rules, &rules.start()), Calibration::NONE);
    }
    fs::write(folder.path().join("calibration.txt"), "squish-4 0.9 0.1").expect("a file");
    assert!(weights.read_folder(folder.path()).expect("a folder").is_empty());
    let wdl = weights.calibration(&rules, &rules.start()).wdl(Leaning::new(0));
    assert!((wdl.draw - 0.1).abs() < 1e-9);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = Weights::embedded().read_folder(&folder.path().join("none"));
    assert!(matches!(missing, Err(WeightsError::File { .. })), "{missing:?}");
}
