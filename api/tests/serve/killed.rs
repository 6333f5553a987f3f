//! A killed server, and one with a full disk: acknowledged jobs survive.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use marquis_core::{GameId, Immobile};
use marquis_engine::{BalanceQuery, Control, Engine, EngineOptions, Limits, Pie, Query, Until};
use marquis_registry::official;
use marquis_wire::Goal;
use serde_json::{Value, json as value};

use crate::client::{json, post};
use crate::shared::{Disk, Server, skip, wait};

/// A server that keeps its jobs in this folder.
fn serving(state: &Path, disk: Disk) -> Server {
    Server::on(disk, |settings| {
        settings.state = Some(state.to_owned());
        (settings.client_jobs, settings.queue, settings.job_threads) = (1000, 1000, 2);
    })
}

/// The reply to a set-up of Swish, for both colours.
fn balance(server: &Server, board: &str, budget_ms: u64) -> Option<Value> {
    let body = value!({"board": board, "both": true, "budget_ms": budget_ms});
    post(&server.address, "/v1/swish/balance", &body)
}

/// Small set-ups, all different: one rook each on its edge of side 3, and two beads inside.
fn boards() -> impl Iterator<Item = String> {
    const INNER: [usize; 7] = [4, 5, 8, 9, 10, 13, 14];
    let rooks = (0..9).map(|number| (number / 3, 16 + number % 3));
    rooks.flat_map(|(white, black)| {
        let pairs = (0..7).flat_map(|one| (0..one).map(move |two| (INNER[one], INNER[two])));
        pairs.map(move |(one, two)| {
            let mut cells = ['.'; 19];
            (cells[white], cells[black], cells[one], cells[two]) = ('w', 'b', 'o', 'o');
            text(&cells)
        })
    })
}

/// The rows from the top, with gaps as numbers.
fn text(cells: &[char]) -> String {
    let (mut rows, mut rest) = (Vec::new(), cells);
    for length in [3, 4, 5, 4, 3] {
        let (row, after) = rest.split_at(length);
        let part = |part: &[char]| match part[0] {
            '.' => part.len().to_string(),
            _ => part.iter().collect(),
        };
        rows.push(row.chunk_by(|a, b| a == b).map(part).collect::<String>());
        rest = after;
    }
    rows.join("/")
}

/// The balance of a set-up from the façade, without a service.
fn balanced(board: &str) -> Value {
    let engine = Engine::open(official(), EngineOptions::default()).unwrap().0;
    let query = BalanceQuery {
        game: GameId::new("swish"),
        board: board.to_owned(),
        bait: 0,
        pie: Pie::Marquisian,
        target: None,
        immobile: Immobile::Loss,
        until: Until::BothColours,
    };
    serde_json::to_value(engine.balance(&query, &Limits::default(), &Control::none()).unwrap()).unwrap()
}

/// For the first position of each colour, how many of its moves keep the value, from the façade, without a service.
fn keeping_moves(balance: &Value) -> [usize; 2] {
    let engine = Engine::open(official(), EngineOptions::default()).unwrap().0;
    ["w", "b"].map(|colour| {
        let position = balance["first_mover"][colour]["position"].as_str().unwrap();
        let limits = Limits { goal: Some(Goal::Moves), ..Limits::default() };
        let query = Query::new(GameId::new("swish"), position);
        let answer = engine.solve(&query, &limits, &Control::none()).unwrap();
        let answer = serde_json::to_value(answer).unwrap();
        let moves = answer["moves"].as_array().unwrap().iter();
        moves.filter(|own| own["value"] == answer["value"]).count()
    })
}

/// Asserts that the server has the jobs, and in the end their results.
fn assert_kept(server: &Server, acknowledged: &BTreeMap<String, String>) {
    for (number, (id, board)) in acknowledged.iter().enumerate() {
        let done = wait("the job is done", || {
            let job = json(&server.address, &format!("/v1/jobs/{id}"));
            assert!(job["state"].is_string(), "{board} was acknowledged and is lost: {job}");
            (job["state"] == "done").then_some(job)
        });
        if number % 9 == 0 {
            let (mut result, expected) = (done["result"].clone(), balanced(board));
            let keeping = &mut result["difficulty"]["keeping_moves"];
            if expected["difficulty"]["keeping_moves"].is_null() && !keeping.is_null() {
                // A first move may lead to another set-up, whose value the service knows.
                let known = keeping.take().as_u64().unwrap() as usize;
                assert!(keeping_moves(&expected).contains(&known), "{board}: {known}");
            }
            assert_eq!(result, expected, "{board}");
        }
    }
}

#[test]
fn what_was_acknowledged_survives_a_server_that_is_killed_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let mut boards = boards();
    let mut acknowledged = BTreeMap::new();
    let endless = value!({"board": "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b",
        "pie": "bait", "bait": 1, "budget_ms": 0});
    let mut long_job = String::new();
    for round in 0..6 {
        let mut server = serving(folder.path(), Disk::Whole);
        let begun = post(&server.address, "/v1/swish/balance", &endless).unwrap();
        assert_eq!(begun["kept"], true, "{begun}");
        long_job = begun["id"].as_str().unwrap().to_owned();
        let address = server.address.clone();
        let (noted, enough) = (AtomicUsize::new(0), 4 + round);
        thread::scope(|scope| {
            let asking = scope.spawn(|| {
                for board in boards.by_ref() {
                    let body = value!({"board": board, "both": true, "budget_ms": 0});
                    let Some(reply) = post(&address, "/v1/swish/balance", &body) else { return };
                    if reply["kept"] == true {
                        noted.fetch_add(1, Ordering::Relaxed);
                        acknowledged.insert(reply["id"].as_str().unwrap().to_owned(), board);
                    }
                }
            });
            wait("some jobs are acknowledged", || {
                (noted.load(Ordering::Relaxed) >= enough || asking.is_finished()).then_some(())
            });
            server.process.kill().unwrap();
            asking.join().unwrap();
        });
    }
    assert!(acknowledged.len() > 20, "only {} jobs were acknowledged", acknowledged.len());
    let server = serving(folder.path(), Disk::Whole);
    assert_kept(&server, &acknowledged);
    let job = json(&server.address, &format!("/v1/jobs/{long_job}"));
    assert!(job["state"] == "running" || job["state"] == "queued", "{job}");
}

/// Limits the files of the server to `bytes` bytes, like a full disk; returns false without `prlimit`.
fn limit_files(server: &Server, bytes: &str) -> bool {
    let process = format!("--pid={}", server.process.id());
    Command::new("prlimit")
        .args([&process, &format!("--fsize={bytes}:")])
        .status()
        .is_ok_and(|done| done.success())
}

#[test]
fn a_full_disk_costs_the_keeping_and_nothing_else_until_there_is_room_again() {
    let folder = tempfile::tempdir().unwrap();
    let (mut boards, mut acknowledged) = (boards(), BTreeMap::new());
    {
        let server = serving(folder.path(), Disk::MayBeFull);
        let mut ask = |kept: bool| {
            let board = boards.next().unwrap();
            let reply = balance(&server, &board, 0).unwrap();
            assert_eq!(reply["kept"], kept, "{reply}");
            let id = reply["id"].as_str().unwrap().to_owned();
            let done = wait("the job is done", || {
                let job = json(&server.address, &format!("/v1/jobs/{id}"));
                (job["state"] == "done").then_some(job)
            });
            assert_eq!(done["result"], balanced(&board), "{board}");
            if kept {
                acknowledged.insert(id, board);
            }
        };
        ask(true);
        if !limit_files(&server, "4096") {
            return skip("there is no prlimit here to make the disk look full");
        }
        for _ in 0..5 {
            ask(false);
        }
        let look_up = json(&server.address, "/v1/squish?position=3/4/2w2/b3/b1b_w");
        assert_eq!(look_up["over"], "unified", "{look_up}");
        assert!(limit_files(&server, "unlimited"));
        // The first request that finds the database broken reopens it.
        balance(&server, "w1/1o1/1b", 0).unwrap();
        for _ in 0..5 {
            ask(true);
        }
    }
    assert_kept(&serving(folder.path(), Disk::Whole), &acknowledged);
}
