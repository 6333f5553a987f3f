//! The protocol of UGI, line by line, and conversations that nobody wrote down: each `go` has exactly one `bestmove`, and
//! a conversation that is over ends the program, whatever it was doing.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::common::Place;
use crate::ugi::Session;

/// Processes, and conversations that each of them is led through.
const PROCESSES: u64 = 50;
const CONVERSATIONS: usize = 10;
/// What an end may take on a machine with much else to do. On an idle one it is under 200 ms.
const END: Duration = Duration::from_secs(2);

#[test]
fn the_protocol_is_obeyed_line_by_line() {
    let mut session = Session::begin(&[]);
    session.say("ugi");
    let mut introduced = vec![session.hear()];
    while introduced.last().is_some_and(|line| line != "ugiok") {
        introduced.push(session.hear());
    }
    assert!(
        introduced[0].starts_with("id name ") && introduced[1].starts_with("id author "),
        "{introduced:?}"
    );
    let options = &introduced[2..introduced.len() - 1];
    assert!(
        options.iter().all(|line| line.starts_with("option name ") && line.contains(" type ")),
        "{options:?}"
    );
    session.ready();
    session.say("setoption name MultiPV value 2");
    session.say("uginewgame");
    session.ready();
    for (place, turn) in [("position startpos", "true"), ("position startpos moves a2-b3", "false")] {
        session.say(place);
        for (query, response) in [("p1turn", turn), ("gameover", "false"), ("result", "none")] {
            session.say(&format!("query {query}"));
            assert_eq!(session.hear(), format!("response {response}"), "{place}, {query}");
        }
        for limit in [
            "depth 2",
            "nodes 300",
            "movetime 5",
            "p1time 300 p2time 300 p1inc 5 p2inc 5",
            "nodes 100 depth 1 mate 3",
            "",
        ] {
            session.say(&format!("go {limit}"));
            if limit.is_empty() {
                session.say("stop");
            }
            let (_, best) = session.thoughts();
            assert!(best.contains('-') || best.contains('x'), "{place}, go {limit}: {best}");
        }
    }
    session.say("go infinite");
    session.ready_amid_thoughts();
    session.say("stop");
    assert_ne!(session.thoughts().1, "(none)");
    session.say("quit");
    assert!(session.ends_within(END).is_some(), "it goes on");
}

/// A line of a conversation, and whether a move answers it.
fn line(random: &mut SmallRng) -> (Vec<u8>, bool) {
    let known: &[&str] = &[
        "ugi",
        "isready",
        "uginewgame",
        "stop",
        "position startpos",
        "position startpos moves a2-b3",
        "position fen b1w/1wb1/wb1wb/1wb1/b1w w",
        "position fen 3/3/3 w",
        "position",
        "position startpos moves z9",
        "setoption name MultiPV value 3",
        "setoption name Level value 2",
        "setoption name Threads value 1000000",
        "setoption name Game value flowish",
        "setoption name Game value squish",
        "setoption",
        "query p1turn",
        "query gameover",
        "query result",
        "query",
        "throw 3",
        "debug on",
        "ponderhit",
        "   isready   ",
        "",
        "\u{feff}isready",
    ];
    let searches: &[&str] = &[
        "go nodes 50",
        "go movetime 1",
        "go depth 1",
        "go infinite",
        "go",
        "go soon",
        "go nodes",
        "go nodes -1",
        "go movetime 99999999999999999999",
        "go nodes 50 nodes 20",
        "go p1time 20 p2time 20",
        "go\tnodes 9",
        "go mate 2 searchmoves a2-b3",
        "  go nodes 5",
    ];
    match random.random_range(0..20) {
        0..9 => (known.choose(random).expect("there are some").as_bytes().to_vec(), false),
        9..16 => (searches.choose(random).expect("there are some").as_bytes().to_vec(), true),
        16 => ((0..random.random_range(1..40)).map(|_| random.random_range(b' '..=0xff)).collect(), false),
        17 => (b"position fen \xe9\xff w".to_vec(), false),
        18 => (b"isready\n".repeat(random.random_range(1..200)), false),
        _ => (vec![b'a'; random.random_range(1..100_000)], false),
    }
}

/// The bytes of some conversations, and how many moves answer them.
fn conversations(seed: u64) -> (Vec<u8>, usize) {
    let mut random = SmallRng::seed_from_u64(seed);
    let (mut bytes, mut searches) = (Vec::new(), 0);
    for number in 0..CONVERSATIONS {
        for _ in 0..random.random_range(0..12) {
            let (line, is_search) = line(&mut random);
            // A line of any bytes may be a search by chance.
            let is_search = is_search || line.trim_ascii_start().starts_with(b"go");
            bytes.extend(line);
            bytes.push(b'\n');
            searches += usize::from(is_search);
        }
        if number + 1 < CONVERSATIONS {
            bytes.extend(b"uginewgame\n");
        }
    }
    match random.random_range(0..3) {
        0 => bytes.extend(b"quit\n"),
        1 => bytes.extend(b"quit\ngo infinite\nisready\n"),
        // The last line may be cut off before its end.
        _ => bytes.truncate(bytes.len() - usize::from(random.random_bool(0.5))),
    }
    (bytes, searches)
}

fn begun(place: &Place) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    command.current_dir(place.path()).env_remove("MARQUIS_TABLES").arg("ugi");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts")
}

#[test]
fn each_search_has_one_move_in_any_conversation_and_its_end_ends_the_program() {
    for seed in 0..PROCESSES {
        let (place, (bytes, searches)) = (Place::new(), conversations(seed));
        let mut child = begun(&place);
        let mut input = child.stdin.take().expect("piped");
        // What is written after `quit` may find nobody.
        let writer = thread::spawn(move || drop(input.write_all(&bytes)));
        let mut said = String::new();
        child.stdout.take().expect("piped").read_to_string(&mut said).expect("UTF-8");
        writer.join().expect("it writes");
        let ended = child.wait().expect("it ends");
        assert!(ended.success(), "conversation {seed}: {ended}");
        let moves = said.lines().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(moves, searches, "conversation {seed}: {said}");
    }
}

#[test]
fn every_way_in_which_a_conversation_ends_stops_the_search() {
    let mut worst = Duration::ZERO;
    for (way, end) in [
        ("quit", Session::quit as fn(&mut Session)),
        ("end of input", Session::close_input),
        ("closed output", Session::close_output),
        ("SIGTERM", Session::terminate),
    ] {
        for _ in 0..3 {
            let mut session = Session::begin(&[]);
            session.say("position startpos moves a2-b3 c1-c2");
            session.say("go infinite");
            session.ready_amid_thoughts();
            let begun = Instant::now();
            end(&mut session);
            assert!(session.ends_within(END).is_some(), "{way}: it goes on after {:?}", begun.elapsed());
            worst = worst.max(begun.elapsed());
        }
    }
    println!("the slowest end took {worst:?}");
}
