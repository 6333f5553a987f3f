//! The output of the engine during a search, and how soon it comes.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Place;
use crate::running::Running;

/// A conversation under way.
struct Session {
    _child: Running,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _place: Place,
}

impl Session {
    fn begin(arguments: &[&str]) -> Self {
        let place = Place::new();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
        command.current_dir(place.path()).env_remove("MARQUIS_TABLES").arg("ugi").args(arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = Running(piped.spawn().expect("it starts"));
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Self { _child: child, input, output: BufReader::new(output).lines(), _place: place }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    fn hear(&mut self) -> String {
        self.output.next().expect("it is still there").expect("UTF-8")
    }

    /// Waits until all earlier lines were executed.
    fn ready(&mut self) {
        self.say("isready");
        assert_eq!(self.hear(), "readyok");
    }

    /// The lines up to the move, and the move.
    fn thoughts(&mut self) -> (Vec<String>, String) {
        let mut infos = Vec::new();
        loop {
            let line = self.hear();
            match line.strip_prefix("bestmove ") {
                Some(best) => return (infos, best.to_owned()),
                None => infos.push(line),
            }
        }
    }
}

/// The number after a word of an `info` line.
#[track_caller]
fn number(info: &str, name: &str) -> u64 {
    let mut words = info.split(' ').skip_while(|word| *word != name).skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name}: {info}"))
}

/// The moves of an `info` line.
fn line(info: &str) -> Vec<&str> {
    let (_, pv) = info.split_once(" pv ").unwrap_or_else(|| panic!("{info}"));
    pv.split(" string ").next().unwrap_or_default().split(' ').collect()
}

/// Two moves from the start of Squish, at a position that is not in the book of known results.
const OPENED: &str = "position startpos moves a2-b3 c1-c2";

#[test]
fn it_says_what_it_thinks_while_it_thinks() {
    for game in ["squish", "flowish", "squinch"] {
        let mut session = Session::begin(&[game]);
        if game == "squish" {
            session.say(OPENED);
        }
        session.say("go nodes 200000");
        let (infos, best) = session.thoughts();
        assert!(infos.len() > 3, "{game}: {infos:?}");
        for info in &infos {
            let chances = info.split(" wdl ").nth(1).unwrap_or_else(|| panic!("{info}"));
            let sum: u32 =
                chances.split(' ').take(3).map(|share| share.parse::<u32>().expect("a share")).sum();
            assert_eq!(sum, 1000, "{info}");
            assert!(info.starts_with("info depth ") && number(info, "nodes") > 0, "{info}");
        }
        assert!(infos.is_sorted_by_key(|info| number(info, "time")), "{game}: {infos:?}");
        let depths = infos.iter().map(|info| number(info, "depth"));
        assert!(depths.clone().max() > depths.min().map(|least| least + 2), "{game}: {infos:?}");
        assert_eq!(line(infos.last().expect("lines"))[0], best, "{game}: {infos:?}");
    }
}

#[test]
fn it_speaks_at_once_and_stops_when_it_is_told_to() {
    for game in ["squish", "swish", "squinch"] {
        let mut session = Session::begin(&[game]);
        match game {
            "squish" => session.say(OPENED),
            "swish" => session.say("position fen w1w1/1o1o1/1o2o1/2o1o2/1o2o1/1o1o1/1b1b w"),
            _ => {}
        }
        session.ready();
        let asked = Instant::now();
        session.say("go infinite");
        let first = session.hear();
        // Some milliseconds on an idle machine.
        assert!(asked.elapsed() < Duration::from_secs(2), "{:?}: {first}", asked.elapsed());
        assert!(first.starts_with("info depth "), "{first}");
        while number(&session.hear(), "depth") <= 3 {}
        let told = Instant::now();
        session.say("stop");
        session.thoughts();
        assert!(told.elapsed() < Duration::from_secs(5), "{:?}", told.elapsed());
        session.ready();
    }
}

/// Twenty and more checkers a side that have passed each other: solving it takes longer than any test.
const LONG_RACE: &str =
    "5,r1,2/r2,4,r1,1,r1/8/2,r2,4,r1/2,r1,2,r1,1,r1/r1,r1,6/w4,r2,r1,w1,w1,w3,2/w2,1,w1,w2,1,w3,w3,w3 r";

#[test]
fn a_race_is_left_when_it_is_told_to_stop() {
    let mut session = Session::begin(&["squinch"]);
    session.say(&format!("position fen {LONG_RACE}"));
    session.ready();
    session.say("go movetime 600000");
    std::thread::sleep(Duration::from_millis(300));
    let told = Instant::now();
    session.say("stop");
    session.thoughts();
    assert!(told.elapsed() < Duration::from_secs(5), "{:?}", told.elapsed());
    session.ready();
}

#[test]
fn threads_memory_and_the_number_of_lines_are_what_was_asked_for() {
    let mut session = Session::begin(&["squish"]);
    session.say("setoption name Threads value 2");
    session.say("setoption name Memory value 16");
    session.say("setoption name MultiPV value 3");
    session.say("go movetime 300");
    let (infos, best) = session.thoughts();
    let places: Vec<u64> = infos[infos.len() - 3..].iter().map(|info| number(info, "multipv")).collect();
    assert_eq!(places, [1, 2, 3], "{infos:?}");
    let firsts: Vec<&str> = infos[infos.len() - 3..].iter().map(|info| line(info)[0]).collect();
    assert_eq!(firsts[0], best);
    assert!(firsts[1] != firsts[2] && !firsts[1..].contains(&firsts[0]), "{infos:?}");
}

#[test]
fn one_thread_and_a_number_of_nodes_give_the_same_answer_each_time() {
    let answer = || {
        let mut session = Session::begin(&["flowish"]);
        session.say("go nodes 60000");
        let (infos, best) = session.thoughts();
        let last = infos.last().expect("a line").clone();
        (number(&last, "depth"), number(&last, "nodes"), line(&last).join(" "), best)
    };
    assert_eq!(answer(), answer());
}

#[test]
fn the_end_of_a_game_is_refused_in_the_same_words_with_throws_and_without() {
    let mut said = Vec::new();
    for (game, over) in [("squish", "3/wb2/1w3/3b/3 b"), ("senet", "10/10/10 w")] {
        let mut session = Session::begin(&[game]);
        session.say(&format!("position fen {over}"));
        session.say("go");
        let (infos, best) = session.thoughts();
        assert_eq!(best, "(none)", "{infos:?}");
        said.push(infos[0].split(", found").next().expect("a reason").to_owned());
    }
    assert!(said[0].contains("the game is not over"), "{said:?}");
    assert_eq!(said[0], said[1]);
}
