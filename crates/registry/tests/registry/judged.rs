//! The look ahead with tables: values that a search alone cannot prove, and the ply of a line from which tables know
//! it.

use std::path::Path;

use marquis_core::{GameId, Value};
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BookUse, BuildQuery, Control, Engine, EngineOptions, Limits, Opponent, Query};
use marquis_registry::official;
use marquis_wire::Goal;
use marquis_wire::answer::{Advice, Answer, ExactAnswer, Source};
use marquis_wire::words::word;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;

/// Three beads and two rooks each, in both games of beads.
const START: &str = "w1w/4/1ooo1/4/b1b w 0-0 2";
const GAMES: [GameId; 2] = [GameId::new("swish"), GameId::new("squeeze")];

/// Tables of all positions that can be reached from the start.
fn tables(game: GameId) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let query = BuildQuery { from: Some(START.to_owned()), ..BuildQuery::new(game) };
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&official(), &query, folder.path(), CHECKPOINT_EVERY, &limits, &Control::none()).expect("built");
    folder
}

/// Removes the tables of positions in which nothing has been captured.
fn forget_the_beginning(folder: &Path) {
    let variant = std::fs::read_dir(folder).expect("a folder").find_map(|found| {
        let path = found.expect("an entry").path();
        path.is_dir().then_some(path)
    });
    let mut removed = 0;
    for found in std::fs::read_dir(variant.expect("tables")).expect("tables") {
        let path = found.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if name.starts_with("k03") {
            std::fs::remove_file(&path).expect("removed");
            removed += 1;
        }
    }
    assert!(removed > 0);
}

/// An engine with only the tables of a folder; with the book, answers would know the next two plies without a look
/// ahead.
fn engine(folder: Option<&Path>) -> Engine {
    let tables = folder.map(Path::to_owned).into_iter().collect();
    let options = EngineOptions { tables, book: BookUse::LeftAlone, ..EngineOptions::default() };
    Engine::open(official(), options).expect("opened").0
}

/// The judge's answer alone, with so few positions that it sees only a ply or two.
fn judged(engine: &Engine, game: GameId, position: &str) -> (String, ExactAnswer) {
    let limits = Limits { nodes: Some(80), threads: Some(1), ..Limits::default() };
    let query = Query::new(game, position);
    let advice = engine.advise(&query, Opponent::default(), &limits, &Control::none());
    let Advice { mv, answer: Answer::Exact(answer), .. } = advice.expect("advised") else {
        panic!("no throws in this game")
    };
    (mv, answer)
}

/// The tables' answer for a position.
fn probed(engine: &Engine, query: &Query) -> ExactAnswer {
    let Ok(Answer::Exact(answer)) = engine.probe(query) else { panic!("{query:?}") };
    answer
}

/// Different positions of random games in which nothing has been captured.
fn positions(engine: &Engine, game: GameId, wanted: usize) -> Vec<String> {
    let mut random = SmallRng::seed_from_u64(5);
    let mut found: Vec<String> = Vec::new();
    while found.len() < wanted {
        let mut here = engine.registry().pose(&Query::new(game, START)).expect("a start");
        for _ in 0..random.random_range(0..20) {
            let moves = here.moves();
            let quiet: Vec<_> = moves.iter().filter(|mv| mv.position.contains(" 0-0 ")).collect();
            if quiet.is_empty() {
                break;
            }
            let next = quiet[random.random_range(0..quiet.len())].position.as_str();
            here = engine.registry().pose(&Query::new(game, next)).expect("a position");
        }
        if !here.moves().is_empty() && !found.contains(&here.text()) {
            found.push(here.text());
        }
    }
    found
}

#[test]
fn a_look_ahead_proves_by_tables_what_it_could_not_prove_without_and_nothing_wrong() {
    for game in GAMES {
        let folder = tables(game);
        let (truth, alone) = (engine(Some(folder.path())), engine(None));
        let positions = positions(&alone, game, 100);
        let probe = |position| probed(&truth, &Query::new(game, position));
        let real: Vec<_> = positions.iter().map(|position| probe(position.as_str())).collect();
        forget_the_beginning(folder.path());
        let told = engine(Some(folder.path()));
        let (mut by_tables, mut by_looking, mut without) = (0, 0, 0);
        for (position, real) in positions.iter().zip(real) {
            // A move into a table, or one that ends the game, may give it without a look ahead.
            let known = probed(&told, &Query::new(game, position.as_str())).verdict.plies;
            assert!(known.is_none() || known == real.verdict.plies, "{position}");
            let (mv, answer) = judged(&told, game, position);
            without += usize::from(judged(&alone, game, position).1.verdict.value.is_some());
            let verdict = &answer.verdict;
            let source = verdict.source.expect("chances of every position");
            assert_eq!(source == Source::Exact, verdict.value.is_some(), "{position}");
            for own in answer.moves.iter().filter(|own| own.verdict.source == Some(Source::Exact)) {
                let there = real.moves.iter().find(|other| other.mv == own.mv).expect("the same moves");
                assert_eq!(own.verdict.value, there.verdict.value, "{position}: {}", own.mv);
                let plies = own.verdict.plies;
                assert!(plies.is_none() || plies == there.verdict.plies, "{position}: {}", own.mv);
            }
            if verdict.value.is_none() {
                continue;
            }
            by_tables += 1;
            // For the other positions it is enough to look up the moves.
            by_looking += usize::from(answer.insight.is_some());
            assert_eq!(verdict.value, real.verdict.value, "{position}");
            assert_eq!(answer.moves[0].mv, mv, "{position}");
            assert!(answer.insight.is_none_or(|insight| insight.pv_exact_from == Some(0)), "{position}");
        }
        assert!(by_tables > without, "{game}: {by_tables} by tables, {without} without");
        // Without tables at its leaves the look ahead would prove 2 and 5 of these.
        assert!(by_looking > 8, "{game}: {by_looking} by a look ahead with tables");
    }
}

/// Starts of Flowish on hexagons in which the judge sees no clear advantage, with the positions that a proof takes:
/// `tests/suite/hexagons.txt`.
const UNCLEAR: [(&str, u64); 2] = [
    ("5/1wb1w1/1b1wb2/2wb1wb1/2b1wb1w1/2wb1wb1/3wb2/6/5 w", 17_433),
    ("5/1b1w2/2wb3/1wb1wb2/1b1wb1w2/1wb1wb2/2wb3/1b1w2/5 w", 34_506),
];

#[test]
fn a_search_for_the_value_alone_is_not_left_to_the_judge() {
    let engine = engine(None);
    for (position, nodes) in UNCLEAR {
        let value_of = |goal| {
            let limits = Limits { nodes: Some(2 * nodes), threads: Some(1), goal, ..Limits::default() };
            let query = Query::new(GameId::new("flowish"), position);
            let answer = engine.solve(&query, &limits, &Control::none());
            let Ok(Answer::Exact(answer)) = answer else { panic!("no throws in this game") };
            answer.verdict.value
        };
        assert_eq!([value_of(None), value_of(Some(Goal::Value))], [None, Some(Value::Win)], "{position}");
    }
}

#[test]
fn a_line_says_from_where_on_tables_know_it() {
    let mut later = 0;
    for game in GAMES {
        let folder = tables(game);
        forget_the_beginning(folder.path());
        let told = engine(Some(folder.path()));
        for position in positions(&told, game, 100) {
            let (_, answer) = judged(&told, game, &position);
            let Some(insight) = answer.insight else { continue };
            let known = |plies: usize| {
                let play = Some(insight.pv[..plies].join(" "));
                let there = probed(&told, &Query { play, ..Query::new(game, position.as_str()) });
                there.verdict.value.is_some()
            };
            match insight.pv_exact_from {
                Some(0) => assert_ne!(word(answer.verdict.value), "unknown", "{position}"),
                Some(ply) => {
                    later += 1;
                    assert!(known(ply.into()), "{position}: {:?} from {ply}", insight.pv);
                    // Tables know little more than their entries: positions all of whose moves lead to an entry.
                    assert!((1..ply.into()).filter(|&before| known(before)).count() < 2, "{position}");
                }
                None => assert!(!known(insight.pv.len()), "{position}: {:?}", insight.pv),
            }
        }
    }
    assert!(later > 2, "only {later} lines came to a table");
}
