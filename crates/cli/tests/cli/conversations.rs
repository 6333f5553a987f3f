//! Conversations in the Universal Game Interface: the protocol line by line, and random ones.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::talk::{ENDS, End, Talk};

/// How long the engine may outlive a conversation on a busy machine; on an idle one it takes a tenth.
const TO_END: Duration = Duration::from_secs(2);

/// The protocol, line by line: `>` to the engine, `<` from it. `*` stands for any text, and on a separate line for
/// any number of lines.
///
/// Source: the Universal Game Interface, <https://github.com/kz04px/ugi>.
const PROTOCOL: &str = "\
> ugi
< id name *
< id author *
< *
< option name Threads type spin default 1 min 1 max *
< *
< ugiok
> setoption name Threads value 1
> setoption name Memory value 16
> isready
< readyok
> uginewgame
> position startpos
> query p1turn
< response true
> query gameover
< response false
> query result
< response none
> go depth 4
< *
< bestmove *
> go nodes 300
< *
< bestmove *
> go movetime 10
< *
< bestmove *
> go p1time 200 p2time 200 p1inc 10 p2inc 10
< *
< bestmove *
> go infinite
> isready
< *
< readyok
> stop
< *
< bestmove *
> stop
> isready
< readyok
> position startpos moves a2-b3
> query p1turn
< response false
> query gameover
< response false
> position startpos moves a2-b3 c1-c2
> query p1turn
< response true
> go depth 2
< *
< bestmove *
> position fen b1w/1wb1/wb1wb/1wb1/b1w w
> query result
< response none
> go movetime 10
< *
< bestmove *
> position fen b1w/1wb1/wb1wb/1wb1/b1w w moves a3xb3
> query p1turn
< response false
> position fen 3/4/2w2/b3/b1b w
> query gameover
< response true
> query result
< response p1win
> position fen 3/4/2b2/w3/w1w w
> query result
< response p2win
> uginewgame
> isready
< readyok
> position startpos
> go nodes 20
< *
< bestmove *
";

/// Whether a line matches the protocol.
fn fits(line: &str, expected: &str) -> bool {
    let Some((before, after)) = expected.split_once('*') else { return line == expected };
    line.len() >= before.len() + after.len() && line.starts_with(before) && line.ends_with(after)
}

#[test]
fn the_protocol_is_spoken_line_by_line() {
    let mut talk = Talk::begin(&["squish"]);
    let mut lines = PROTOCOL.lines().peekable();
    while let Some(line) = lines.next() {
        let (side, text) = line.split_once(' ').expect("a side and a text");
        if side == ">" {
            talk.say(text);
        } else if text == "*" {
            let until = lines.next().and_then(|line| line.strip_prefix("< ")).expect("a line after it");
            loop {
                let heard = talk.hear().unwrap_or_else(|| panic!("its end before {until}"));
                if fits(&heard, until) {
                    break;
                }
                assert!(heard.starts_with("info ") || heard.starts_with("option name "), "{heard}");
                assert!(!heard.starts_with("info string error"), "{heard}");
            }
        } else {
            let heard = talk.hear().unwrap_or_else(|| panic!("its end before {text}"));
            assert!(fits(&heard, text), "expected {text}, heard {heard}");
        }
    }
    talk.settle();
    let ended = talk.end(End::Quit);
    assert_eq!(ended.code, Some(0));
}

const GAMES: [&str; 6] = ["squish", "flowish", "swish", "squeeze", "squinch", "senet"];
const COMMANDS: [&str; 11] = [
    "ugi",
    "isready",
    "setoption",
    "uginewgame",
    "position",
    "throw",
    "go",
    "stop",
    "query",
    "quit ",
    "sing",
];
const WORDS: [&str; 30] = [
    "name",
    "value",
    "Game",
    "Threads",
    "Memory",
    "Level",
    "MultiPV",
    "Seed",
    "startpos",
    "fen",
    "moves",
    "movetime",
    "depth",
    "nodes",
    "p1time",
    "p2inc",
    "infinite",
    "ponder",
    "p1turn",
    "gameover",
    "result",
    "-1",
    "0",
    "3",
    "1e3",
    "99999999999999999999",
    "a2-b3",
    "3/4/2w2/b3/b1b w",
    "\u{1f600}",
    "\u{feff}",
];
const SEARCHES: [&str; 12] = [
    "go",
    "go infinite",
    "go depth 2",
    "go depth",
    "go nodes 50",
    "go nodes 0",
    "go movetime 5",
    "go movetime soon",
    "go p1time 60 p2time 60",
    "go p1time -5",
    "go ponder",
    "  go\tnodes 1e2 wherever",
];
const POSITIONS: [&str; 8] = [
    "startpos",
    "startpos moves a2-b3",
    "startpos moves a2-b3 c1-c2",
    "fen 3/wb2/1w3/3b/3 b",
    "fen b1w/1wb1/wb1wb/1wb1/b1w w",
    "fen w1w1/1o1o1/1o2o1/2o1o2/1o2o1/1o1o1/1b1b w",
    "fen wbwb6/10/10 b",
    "fen nowhere",
];

/// A line that a program may send, sensible or not, that does not end the conversation.
fn line(random: &mut SmallRng) -> Vec<u8> {
    let of = |random: &mut SmallRng, things: &[&str]| (*things.choose(random).expect("things")).to_owned();
    let text = match random.random_range(0..12) {
        0..4 => of(random, &SEARCHES),
        4 => format!("position {}", of(random, &POSITIONS)),
        5 => format!("setoption name Game value {}", of(random, &GAMES)),
        6 => format!("setoption name {} value {}", of(random, &WORDS), random.random_range(0..9)),
        7 => of(random, &["stop", "isready", "uginewgame", "ugi", "throw 2", "", "query result"]),
        8 => {
            let mut bytes: Vec<u8> = (0..random.random_range(0..40)).map(|_| random.random()).collect();
            bytes.retain(|&byte| byte != b'\n');
            return bytes;
        }
        9 => of(random, &COMMANDS),
        _ => {
            let words = (0..random.random_range(0..6)).map(|_| of(random, &WORDS)).collect::<Vec<_>>();
            format!("{} {}", of(random, &COMMANDS[..9]), words.join(" "))
        }
    };
    // A `quit ` from above would end the conversation.
    if text.trim() == "quit" { b"quitting".to_vec() } else { text.into_bytes() }
}

/// More than the engine reads at a time: searches, words without a meaning, or a line without an end.
fn flood(random: &mut SmallRng) -> Vec<Vec<u8>> {
    match random.random_range(0..3) {
        0 => vec![b"go infinite".to_vec(); 30],
        1 => vec![b"sing".to_vec(); 3_000],
        _ => vec![b"go ".repeat(700_000)],
    }
}

/// The number of conversations with one process before the last one is cut off.
const A_PROCESS: usize = 10;
const PROCESSES: u64 = 50;
/// One in this many conversations has a flood.
const FLOODS: usize = 17;

/// Ten conversations with one process, the last of which is cut off.
fn converse(seed: u64) -> Duration {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut talk = Talk::begin(&[]);
    talk.say("setoption name Memory value 1");
    let last = A_PROCESS - 1;
    for number in 0..A_PROCESS {
        if (seed as usize * A_PROCESS + number).is_multiple_of(FLOODS) {
            flood(&mut random).into_iter().for_each(|line| talk.say(line));
        }
        for _ in 0..random.random_range(0..12) {
            talk.say(line(&mut random));
        }
        if number < last {
            talk.settle();
        }
    }
    if random.random() {
        talk.say("go infinite");
    }
    let end = *ENDS.choose(&mut random).expect("ends");
    let ended = talk.end(end);
    assert_eq!(ended.code, Some(if end == End::Signal { 130 } else { 0 }), "seed {seed}, {end:?}");
    assert!(ended.after < TO_END, "seed {seed}, {end:?}: alive {:?} after its end", ended.after);
    ended.after
}

#[test]
fn each_search_of_five_hundred_conversations_has_one_answer_and_none_outlives_its_end() {
    let mut after: Vec<Duration> = (0..PROCESSES).map(converse).collect();
    after.sort();
    eprintln!(
        "alive after the end: median {:?}, at most {:?}",
        after[after.len() / 2],
        after[after.len() - 1]
    );
}

#[test]
fn every_end_of_a_conversation_stops_a_search_with_time_left() {
    for end in ENDS {
        for go in ["go infinite", "go movetime 60000", "go nodes 1e15"] {
            let mut talk = Talk::begin(&["flowish"]);
            talk.say("position startpos");
            talk.say(go);
            let ended = talk.end(end);
            assert!(ended.after < TO_END, "{go}, {end:?}: {:?}", ended.after);
        }
    }
}

#[test]
fn a_mark_before_the_first_line_and_a_line_that_cannot_be_read_cost_nothing_else() {
    let mut talk = Talk::begin(&["squish"]);
    talk.say(b"\xef\xbb\xbfposition startpos moves a2-b3");
    talk.say(b"\xe9");
    talk.say("query p1turn");
    let refused = talk.hear().expect("a line");
    assert!(refused.starts_with("info string error: ") && refused.contains("0xe9"), "{refused}");
    assert_eq!(talk.hear().as_deref(), Some("response false"));
    talk.settle();
}

#[test]
fn words_of_go_that_are_not_known_are_reported_and_skipped() {
    for go in ["go depth 3", "go depth 3 ponder", "go soon", "go searchmoves a2-b3 nodes 30", "go movetime"] {
        let mut talk = Talk::begin(&["squish"]);
        talk.say("position startpos moves a2-b3 c1-c2");
        talk.say(go);
        let mut reports = 0;
        let best = loop {
            let line = talk.hear().expect("it is still there");
            reports += usize::from(line.starts_with("info string error: go: ") || line.contains("left out"));
            if let Some(best) = line.strip_prefix("bestmove ") {
                break best.to_owned();
            }
        };
        assert_eq!(reports, usize::from(go != "go depth 3"), "{go}");
        assert_ne!(best, "(none)", "{go}");
        talk.settle();
    }
}
