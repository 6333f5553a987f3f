//! Every proof file proves the claims made with it: the small version of the example `promised_proofs`.

use std::time::Duration;

use marquis_core::{GameId, Immobile};
use marquis_engine::{
    BalanceQuery, Control, DesignKind, DesignQuery, Engine, EngineOptions, Limits, Pie, Until,
};
use marquis_registry::official;
use marquis_tests::draw::Draw;
use marquis_tests::promised::{Case, judge, judge_solved, random_case};

fn engine() -> Engine {
    Engine::open(official(), EngineOptions::default()).expect("no folder to fail").0
}

#[test]
fn random_set_ups_are_proved_exactly_or_the_file_is_said_to_prove_less() {
    let folder = tempfile::tempdir().expect("a folder");
    let (engine, mut draw) = (engine(), Draw::new(20_261));
    let (mut small, mut balanced) = (0, 0);
    for _ in 0..24 {
        let case = random_case(&mut draw);
        let verdict = judge(&engine, &case, Duration::from_secs(20), &folder.path().join("proof"));
        assert!(verdict.faults.is_empty(), "{case:?}: {:?}", verdict.faults);
        let solved = judge_solved(&engine, &case, 1, Duration::from_secs(20), &folder.path().join("proof"));
        assert!(solved.faults.is_empty(), "{case:?}: {:?}", solved.faults);
        small += usize::from(verdict.small());
        balanced += usize::from(verdict.balance.balanced == Some(true));
    }
    assert!(small >= 8 && balanced >= 1, "{small} small set-ups, {balanced} balanced");
}

#[test]
fn a_set_up_that_ends_before_the_first_move_is_proved_by_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let query = BalanceQuery {
        game: GameId::new("squeeze"),
        board: "1b1/3w/1o3/4/3".to_owned(),
        bait: 0,
        pie: Pie::Marquisian,
        target: Some(1),
        immobile: Immobile::Loss,
        until: Until::BothColours,
    };
    for (bait, pie) in [(0, Pie::Marquisian), (1, Pie::Bait)] {
        let case = Case { query: BalanceQuery { bait, pie, ..query.clone() }, target: 1 };
        let verdict = judge(&engine(), &case, Duration::from_secs(20), &folder.path().join("proof"));
        assert!(verdict.faults.is_empty() && verdict.promised(), "{verdict:?}");
    }
}

#[test]
fn the_proof_of_a_design_that_falls_short_of_its_verdict_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let (engine, file) = (engine(), folder.path().join("proof"));
    let query = DesignQuery {
        game: GameId::new("swish"),
        kind: DesignKind::default(),
        pie: Pie::Marquisian,
        seed: 1,
        tries: 1,
        keep: 1,
    };
    let enough = Limits { nodes: Some(1 << 20), ..Limits::default() };
    let design = engine.design(&query, &enough, &Control::none()).expect("a design").remove(0);
    let prove = |limits: &Limits| {
        engine.prove_design(&query, &design, limits, &Control::none(), &file).expect("an answer").1
    };
    assert!(prove(&enough).complete && file.exists());
    // The second call's limits decide nothing.
    let short = prove(&Limits { nodes: Some(1), ..Limits::default() });
    let said = design.balance.player_two.bounds;
    assert!(!short.complete && short.missing.iter().any(|missing| missing.said == said), "{short:?}");
    assert!(!short.written && !file.exists(), "{short:?}");
}
