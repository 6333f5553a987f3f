//! The façade against independent figures: the check numbers, the slow solver, its own symmetry.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use marquis_core::{GameId, Immobile};
use marquis_engine::query::Until;
use marquis_engine::{BalanceQuery, Control, Engine, EngineOptions, Limits, Pie, Progress, Query};
use marquis_registry::official;
use marquis_table::{Limit, read_container, write_container};
use marquis_tests::data;
use marquis_tests::reference::{self, Rules, solver, symmetry};
use marquis_wire::answer::{Answer, ExactAnswer, PlayerTwoChoice, Proof};
use marquis_wire::words::{names, word};

fn engine() -> Engine {
    let (engine, problems) =
        Engine::open(official(), EngineOptions::default()).expect("an engine without tables opens");
    assert!(problems.is_empty());
    engine
}

/// A look-up without time answers from the book at once, and a later one knows the proof that it began to open.
#[test]
fn a_look_up_without_time_does_not_wait_for_a_proof() {
    let (engine, query) = (engine(), Query::new(id("squish"), "start:4"));
    let bounds = |answer: Answer| match answer {
        Answer::Exact(answer) => {
            assert_eq!(word(answer.verdict.value), "win");
            answer.verdict.plies_bounds.and_then(|[_, most]| most)
        }
        Answer::Chance(_) => panic!("Squish has no throws"),
    };
    assert_eq!(
        bounds(engine.probe_now(&query).expect("an answer")),
        None,
        "the proof takes a second to open"
    );
    assert!(bounds(engine.probe(&query).expect("an answer")).is_some());
}

fn id(game: &str) -> GameId {
    official().game(game).expect("the name of a game").id()
}

fn immobile(variant: reference::Immobile) -> Immobile {
    match variant {
        reference::Immobile::Loss => Immobile::Loss,
        reference::Immobile::Pass => Immobile::Pass,
    }
}

fn exact(engine: &Engine, query: &Query) -> ExactAnswer {
    match engine.solve(query, &Limits::default(), &Control::none()) {
        Ok(Answer::Exact(answer)) => answer,
        other => panic!("{query:?} was answered by {other:?}"),
    }
}

#[test]
fn every_small_position_has_the_value_that_the_slow_solver_gives_it() {
    let engine = engine();
    let mut asked = 0;
    for record in data::solved("small.txt").into_iter().filter(|record| record.game != "senet") {
        let mut query = Query::new(id(&record.game), record.position.clone());
        query.immobile = immobile(record.immobile);
        let answer = exact(&engine, &query);
        assert_eq!(word(answer.verdict.value), record.value, "{} {}", record.game, record.position);
        assert_eq!(answer.verdict.plies.map(u32::from), record.plies, "{} {}", record.game, record.position);
        asked += 1;
    }
    assert!(asked > 150, "only {asked} positions were asked about");
}

#[test]
fn a_move_is_worth_what_the_position_after_it_is_worth() {
    let engine = engine();
    for record in data::solved("small.txt").into_iter().filter(|record| record.game != "senet").step_by(11) {
        let mut query = Query::new(id(&record.game), record.position.clone());
        query.immobile = immobile(record.immobile);
        let rules = Rules::of(&record.game, record.immobile);
        let scores = solver::solve(rules.plain(), &record.position).scores;
        for mv in exact(&engine, &query).moves {
            let (value, plies) = scores[&mv.position];
            let for_mover = match value {
                "win" => "loss",
                "loss" => "win",
                other => other,
            };
            assert_eq!(word(mv.verdict.value), for_mover, "{} {}: {}", record.game, record.position, mv.mv);
            let counted = plies.map(|plies| plies + 1);
            assert_eq!(mv.verdict.plies.map(u32::from), counted, "{} {}", record.position, mv.mv);
        }
    }
}

#[test]
fn all_images_of_a_position_have_the_same_value_and_the_same_moves() {
    let engine = engine();
    for record in
        data::solved("small.txt").into_iter().filter(|r| r.game != "senet" && r.states < 2000).step_by(5)
    {
        let ask = |position: &str| {
            let mut query = Query::new(id(&record.game), position);
            query.immobile = immobile(record.immobile);
            exact(&engine, &query)
        };
        let answer = ask(&record.position);
        for image in symmetry::images(&record.game) {
            let turned = ask(&image.position(&record.game, &record.position));
            assert_eq!(turned.verdict, answer.verdict, "{} {}", record.game, record.position);
            let moves =
                |answer: &ExactAnswer, name: &dyn Fn(&str) -> String| -> BTreeMap<String, Option<u16>> {
                    answer
                        .moves
                        .iter()
                        .map(|mv| (name(&mv.mv) + word(mv.verdict.value), mv.verdict.plies))
                        .collect()
                };
            let expected = moves(&answer, &|mv| image.mv(&record.game, &record.position, mv));
            assert_eq!(moves(&turned, &str::to_owned), expected, "{} {}", record.game, record.position);
        }
    }
}

/// A search that has counted the plies of a position has enough positions left to name the moves of a line.
#[test]
fn a_line_of_counted_plies_goes_to_the_end_of_the_game() {
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    let ask = |position: &str| Query::new(id("swish"), position);
    let (start, drawing) = (ask("b1w/w3/1o1o1/1o2/2b b 0-0 2"), engine());
    let drawn = drawing.vectors(&start, 150, 1, |vector| vector.position).expect("the set-up is legal");
    let drawn: Vec<String> = drawn.map(|position| position.expect("no table is read")).collect();
    let mut counted = 0;
    for position in &drawn {
        // Without the results of earlier questions.
        let found = engine().solve_with_line(&ask(position), &limits, &Control::none());
        let Ok((Answer::Exact(answer), line)) = found else { panic!("{position}: {found:?}") };
        let (root, best) = (&answer.verdict, answer.moves.first().map(|best| best.verdict.plies));
        if root.proof == Proof::Search && root.plies.is_some() && best == Some(root.plies) {
            counted += 1;
            assert!(line.shortest, "{position}: {root:?}, {} moves", line.moves.len());
            assert_eq!(Some(line.moves.len()), root.plies.map(usize::from), "{position}");
        }
    }
    assert!(counted >= 20, "{counted} of {} positions were counted", drawn.len());
}

/// The balance of a set-up, from the slow solver's values of both first positions.
fn balance_by_hand(
    game: &str,
    board: &str,
    bait: u16,
    target: u16,
    pie: Pie,
) -> (&'static str, Option<&'static str>) {
    let rank = |first: char| {
        let (w, b) = if first == 'w' { (0, bait) } else { (bait, 0) };
        let position = format!("{board} {first} {w}-{b} {target}");
        let rules = Rules::of(game, reference::Immobile::Loss);
        let solved = solver::solve(rules.plain(), &position);
        match solved.scores[&position].0 {
            "win" => 1,
            "draw" => 0,
            _ => -1,
        }
    };
    let (white, black) = (rank('w'), rank('b'));
    match pie {
        Pie::Marquisian => match white.min(black) {
            1 => ("win", Some("move-first")),
            0 => ("draw", None),
            _ => ("win", Some("choose-colour")),
        },
        Pie::Bait => match white.max(black) {
            1 => ("win", Some("move-first")),
            0 => ("draw", None),
            _ => ("win", Some("take-bait")),
        },
    }
}

#[test]
fn balances_of_small_set_ups_agree_with_both_pies_worked_out_by_the_slow_solver() {
    let engine = engine();
    let boards = ["w2/1o2/2o2/4/2b", "1w1/4/1o1o1/4/b2", "2b/1o2/2o2/1o2/w2", "b2/1oo1/5/4/2w"];
    for game in ["swish", "squeeze"] {
        for (board, bait, pie) in boards
            .into_iter()
            .flat_map(|board| [(board, 0, Pie::Marquisian), (board, 0, Pie::Bait), (board, 1, Pie::Bait)])
        {
            let query = BalanceQuery {
                game: id(game),
                board: board.to_owned(),
                bait,
                pie,
                target: None,
                immobile: Immobile::Loss,
                until: Until::Choice,
            };
            let Ok(balance) = engine.balance(&query, &Limits::default(), &Control::none()) else {
                assert!(
                    official().lay_out(&query).is_err(),
                    "{game} {board} is a legal set-up without an answer"
                );
                continue;
            };
            let (value, choice) = balance_by_hand(game, board, bait, balance.target, pie);
            assert_eq!(word(balance.player_two.value), value, "{game} {board} bait {bait} {pie:?}");
            assert_eq!(
                balance.player_two.choice.map(PlayerTwoChoice::name),
                choice,
                "{game} {board} bait {bait} {pie:?}"
            );
            assert_eq!(balance.balanced, Some(value == "draw"));
        }
    }
}

#[test]
fn a_proof_file_replays_and_answers_and_a_changed_byte_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("squish.proof");
    let query = Query::new(GameId::new("squish"), "start:3");
    let (answer, kept) =
        engine().solve_with_proof(&query, &Limits::default(), &Control::none(), &file).expect("an answer");
    assert!(answer.is_known() && kept.complete);
    let report = marquis_engine::check_proof(&official(), &file).expect("a proof file");
    assert_eq!(report.refused, None);
    assert_eq!(names(report.claims[0].bounds), ["win", "win"]);
    let options = EngineOptions { proofs: vec![file.clone()], ..EngineOptions::default() };
    let (replaying, _) = Engine::open(official(), options).expect("the proof holds");
    let Ok(Answer::Exact(answer)) = replaying.probe(&query) else { panic!("no answer from the proof") };
    assert_eq!(word(answer.verdict.value), "win");
    let bytes = std::fs::read(&file).expect("the file can be read");
    for at in (0..bytes.len()).step_by(3) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&file, &changed).expect("the file can be written");
        let accepted =
            marquis_engine::check_proof(&official(), &file).is_ok_and(|report| report.refused.is_none());
        assert!(!accepted, "byte {at} was changed and the proof is still accepted");
    }
}

#[test]
fn a_limit_ends_a_hard_question_with_bounds_and_an_order_of_moves() {
    let query = Query::new(GameId::new("squish"), "start:5");
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let engine = engine();
    let (idle, deadline) = (AtomicBool::new(false), Instant::now() + Duration::from_millis(300));
    let late = AtomicU32::new(0);
    let watch = |_: &Progress| {
        late.fetch_add(u32::from(Instant::now() > deadline), Ordering::Relaxed);
    };
    let Ok(Answer::Exact(answer)) = engine.solve(&query, &limits, &Control::new(&idle, watch)) else {
        panic!("no answer")
    };
    // Progress is reported at most ten times a second, so that this is some tenths of a second, even on a busy
    // machine.
    assert!(late.load(Ordering::Relaxed) <= 4, "told {late:?} times after the deadline");
    assert_eq!(word(answer.verdict.value), "unknown");
    assert_eq!(answer.moves.len(), 72);
    assert!(answer.moves.iter().all(|mv| mv.verdict.value.is_some() || mv.verdict.estimate.is_some()));
}

#[test]
fn a_balance_says_the_same_whether_or_not_an_earlier_one_kept_its_proofs() {
    let engine = engine();
    for until in [Until::Choice, Until::BothColours] {
        // A draw for both, and a win for the first mover.
        for board in ["w2/1o2/1o3/4/2b", "w1w/4/1ooo1/4/b1b"] {
            let query = BalanceQuery {
                game: id("swish"),
                board: board.to_owned(),
                bait: 0,
                pie: Pie::Marquisian,
                target: None,
                immobile: Immobile::Loss,
                until,
            };
            let limits = Limits::default();
            let asked = engine.balance(&query, &limits, &Control::none()).expect("a set-up");
            let (kept, _) =
                engine.balance_and_keep(&query, &limits, &Control::none(), None).expect("a set-up");
            let again = engine.balance(&query, &limits, &Control::none()).expect("a set-up");
            assert_eq!(kept, asked, "{board}");
            assert_eq!(again, asked, "{board}");
        }
    }
}

#[test]
fn every_question_is_answered_the_same_with_an_earlier_proof_and_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (limits, none) = (Limits::default(), Control::none());
    for (game, position) in [("squish", "start:3"), ("swish", "w2/1oo1/2o2/4/2b w 0-0 2")] {
        let query = Query::new(id(game), position);
        let file = folder.path().join(game);
        let without = engine();
        let proved = without.solve_with_proof(&query, &limits, &none, &file).expect("an answer");
        assert!(proved.1.complete, "{game}: {:?}", proved.1);
        let options = EngineOptions { proofs: vec![file], ..EngineOptions::default() };
        let (with, _) = Engine::open(official(), options).expect("the proof holds");
        let known = with.probe(&query).expect("a position");
        assert!(known.is_known(), "{game}: the proof is not loaded");
        assert_eq!(exact(&with, &query), exact(&without, &query), "{game}");
        let again = with.solve_with_proof(&query, &limits, &none, &folder.path().join("again"));
        assert_eq!(again.expect("an answer").0, proved.0, "{game}");
        let lines = [&with, &without].map(|engine| engine.line(&query, &limits, &none).expect("a line"));
        assert_eq!(lines[0], lines[1], "{game}");
        assert_eq!(lines[0].moves.len(), usize::from(lines[0].from.verdict.plies.unwrap_or(0)), "{game}");
        let both = |engine: &Engine| engine.solve_with_line(&query, &limits, &none).expect("a line");
        assert_eq!(both(&with), both(&without), "{game}");
    }
}

#[test]
fn a_proof_of_a_balance_that_says_what_does_not_follow_is_refused_with_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("balance.proof");
    let query = BalanceQuery {
        game: id("swish"),
        board: "w1w/4/1ooo1/4/b1b".to_owned(),
        bait: 0,
        pie: Pie::Marquisian,
        target: None,
        immobile: Immobile::Loss,
        until: Until::Choice,
    };
    let (_, kept) =
        engine().balance_with_proof(&query, &Limits::default(), &Control::none(), &file).expect("a set-up");
    assert!(kept.complete);
    let report = marquis_engine::check_proof(&official(), &file).expect("a proof file");
    assert_eq!(report.refused, None);
    let limit = Limit { bytes: 1 << 20, times_packed: None };
    let container = read_container(&file, "proof", limit).expect("a container");
    for (choice, value) in
        [("take-bait", "win"), ("none", "win"), ("choose-colour", "draw"), ("dance", "much")]
    {
        let said = |name: &str, word: &str| match name {
            "choice" => choice.to_owned(),
            "value" => value.to_owned(),
            _ => word.to_owned(),
        };
        let words: Vec<_> =
            container.meta.iter().map(|(name, word)| (name.clone(), said(name, word))).collect();
        write_container(&file, "proof", &words, &container.body).expect("a file");
        let report = marquis_engine::check_proof(&official(), &file).expect("a proof file");
        let why = format!(
            "expected what follows, choice choose-colour, value win, found choice {choice}, value {value}"
        );
        assert_eq!((report.refused, report.player_two), (Some(why), None));
    }
}
