//! The suite: how many set-ups of Swish and Squeeze are decided, and when.
//!
//! `suite GAME KIND FROM TO SECONDS [NODES]` writes one line per set-up; GAME is `swish` or `squeeze`, KIND is `full`
//! (side 5, three rooks each, 19 beads), `fresh` (others like these, on which nothing was ever tuned), `dozen` (twelve
//! of `full` where both colours are decided in seconds under the rules of Swish, to measure the effect of an idea),
//! `designed` (like `full`, but point-symmetric with the colours exchanged) or `small` (side 4, three rooks each, 9
//! beads). Lines that already exist in `RESULTS` (an environment variable that names a file) are not made again, and
//! new ones are appended to it. `THREADS` and `MEMORY_MIB` limit a search, and `DISK_GIB` the disk for proofs that do
//! not fit into memory; with `PROOFS` (a directory) the proof of each set-up is written there as a file for `marquis
//! check-proof`. With `PIE` set to `bait` or `marquisian` a set-up ends with its verdict under that pie: one colour
//! that is proved to win moving first, or to lose, or the values of both.
//!
//! A line: number, board, then for each colour that moves first its value, the seconds and nodes after which it was
//! known and the bytes of its proof, then the seconds to the verdict under the bait pie. A colour whose first
//! position is an image of the other's is not searched, and has 0 nodes. Seconds count from the start of the set-up,
//! with both colours searched in parallel, so that one run shows the results for every shorter limit.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use marquis_core::Playable;
use marquis_core::{Bounds, Cell, Cells, Player, Value};
use marquis_engine::write_proof;
use marquis_games::beads::{BeadGame, Beads, Capture, Immobile, Leap, Position, Sandwich, Setup};
use marquis_games::hex::{Hex, Side, Symmetry};
use marquis_proof::{Disk, Ended, Findings, NoOracle, ProofSearch, SearchLimits, Settings};
use marquis_tests::draw::Draw;
use marquis_tests::sense::Sense;

/// The seed of all set-ups; a set-up depends only on its number and kind.
const SEED: u64 = 20_250_101;

fn some(draw: &mut Draw, of: Cells, count: usize) -> Cells {
    let mut left: Vec<Cell> = of.collect();
    (0..count).map(|_| left.swap_remove(draw.below(left.len()))).collect()
}

fn random(draw: &mut Draw, board: &Hex, beads: usize) -> [Cells; 3] {
    let white = some(draw, board.edge(), 3);
    let black = some(draw, board.edge() - white, 3);
    [white, black, some(draw, board.all() - board.edge(), beads)]
}

/// A symmetric set-up: a half turn maps White's rooks to Black's and the beads to themselves.
fn designed(draw: &mut Draw, board: &Hex, beads: usize) -> [Cells; 3] {
    let half_turn = |cells| board.image_of(Symmetry::HALF_TURN, cells);
    let mut white = some(draw, board.edge(), 3);
    while white.meets(half_turn(white)) {
        white = some(draw, board.edge(), 3);
    }
    let (mut inner, mut laid) = (board.all() - board.edge(), Cells::EMPTY);
    if beads % 2 == 1 {
        laid = inner.filter(|&cell| board.axial(cell) == (0, 0)).collect();
    }
    inner = inner - laid;
    while (laid.len() as usize) < beads {
        let cell = some(draw, inner, 1);
        let pair = cell | half_turn(cell);
        (laid, inner) = (laid | pair, inner - pair);
    }
    [white, half_turn(white), laid]
}

fn text(board: &Hex, [white, black, beads]: [Cells; 3]) -> String {
    let row = |row: u8| {
        let (mut text, mut empty) = (String::new(), 0);
        for cell in board.row(row) {
            let letter =
                [(white, 'w'), (black, 'b'), (beads, 'o')].into_iter().find(|(set, _)| set.contains(cell));
            let Some((_, letter)) = letter else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            (text, empty) = (text + &letter.to_string(), 0);
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    (0..board.rows()).rev().map(row).collect::<Vec<_>>().join("/")
}

/// The numbers of the full set-ups that form the dozen.
const DOZEN: [usize; 12] = [0, 2, 3, 5, 9, 13, 14, 16, 19, 20, 22, 23];

fn setup(kind: &str, number: usize) -> Setup {
    if kind == "dozen" {
        let of_all =
            DOZEN.get(number).unwrap_or_else(|| panic!("expected a number below 12, found {number}"));
        return setup("full", *of_all);
    }
    let (side, beads) = match kind {
        "small" => (4, 9),
        "full" | "fresh" | "designed" => (5, 19),
        _ => panic!("expected full, fresh, dozen, designed or small, found {kind:?}"),
    };
    let board = Side::new(side).expect("a side of the game").board();
    let of_kind = kind.bytes().map(u64::from).sum::<u64>() << 32;
    let mut draw = Draw::new(SEED ^ of_kind ^ (number as u64) << 16);
    let laid =
        if kind == "designed" { designed(&mut draw, board, beads) } else { random(&mut draw, board, beads) };
    Setup::parse(&text(board, laid), Beads(0), None).expect("a legal set-up")
}

#[derive(Clone, Copy)]
struct Known {
    bounds: Bounds,
    ended: Ended,
    after: Duration,
    nodes: u64,
    proof: usize,
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The value of one first position that decides the verdict under the pie that `PIE` names; `None` if both colours
/// are needed.
fn deciding_value() -> Option<Value> {
    let pie = std::env::var("PIE").ok()?;
    match pie.as_str() {
        "bait" => Some(Value::Win),
        "marquisian" => Some(Value::Loss),
        _ => panic!("PIE is {pie:?}; it may be bait or marquisian"),
    }
}

/// Searches both colours in parallel until both are decided or a limit is reached.
fn solve<R: Capture>(
    setup: &Setup,
    time: Duration,
    nodes: u64,
    proof: Option<&Path>,
) -> ([Known; 2], Option<Duration>)
where
    BeadGame<R>: Playable<Position = Position>,
{
    let (game, _) = setup.begin::<R>(Player::First, Immobile::Loss);
    let settings = Settings::within(number("MEMORY_MIB", 2048) << 20, number("THREADS", 2));
    let sense = Sense(game);
    let disk = Disk::new(std::env::temp_dir(), (number("DISK_GIB", 16) as u64) << 30);
    let search =
        ProofSearch::with_knowledge(&game, &NoOracle, &sense, settings).with_disk_if_any(Some(&disk));
    let roots = Player::BOTH.map(|colour| setup.begin::<R>(colour, Immobile::Loss).1);
    let limits = SearchLimits {
        nodes: Some(nodes),
        deadline: Instant::now().checked_add(time),
        ..SearchLimits::default()
    };
    let deciding = deciding_value();
    let enough =
        |bounds: &[Bounds]| deciding.is_some() && bounds.iter().any(|bounds| bounds.value() == deciding);
    let found = search.solve_orbits(&roots, &enough, &limits, &mut |_| {});
    if let Some(file) = proof {
        let claims: Vec<_> =
            roots.into_iter().zip(found.iter().map(|found| found.strategies.clone())).collect();
        write_proof(&game, Immobile::Loss, &claims, file).unwrap_or_else(|error| panic!("{error}"));
    }
    let known = [0, 1].map(|number| {
        let Findings { bounds, ended, after, nodes, strategies, .. } = &found[number];
        let proof = strategies.iter().map(|strategy| strategy.bytes().len()).sum();
        Known { bounds: *bounds, ended: *ended, after: *after, nodes: *nodes, proof }
    });
    let decided = known.iter().filter(|known| known.bounds.value().is_some());
    let wins = known.iter().filter(|known| known.bounds.value() == Some(Value::Win));
    let verdict = wins.map(|known| known.after).min();
    let both = (decided.clone().count() == 2).then(|| decided.map(|known| known.after).max());
    (known, verdict.or_else(|| both.flatten()))
}

fn line(number: usize, setup: &Setup, known: [Known; 2], verdict: Option<Duration>) -> String {
    let mut line = format!("{number:2} {}", setup.text());
    for (letter, known) in ["w", "b"].into_iter().zip(&known) {
        let &Known { bounds, after, nodes, proof, .. } = known;
        let value = match bounds.value() {
            Some(value) => value.name().to_owned(),
            None if bounds == Bounds::UNKNOWN => "unknown".to_owned(),
            None => format!("{}..{}", bounds.worst.name(), bounds.best.name()),
        };
        let _ = write!(line, " | {letter} {value} {:.2}s {nodes} nodes {proof} bytes", after.as_secs_f64());
    }
    let verdict = verdict.map_or_else(|| "-".to_owned(), |after| format!("{:.2}s", after.as_secs_f64()));
    line + &format!(" | verdict {verdict} | ended {:?}", known[0].ended)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, kind, from, to, seconds, nodes @ ..] = arguments.as_slice() else {
        eprintln!("expected GAME KIND FROM TO SECONDS [NODES], found {arguments:?}");
        return;
    };
    let whole =
        |text: &String| text.parse::<u64>().unwrap_or_else(|_| panic!("expected a number, found {text:?}"));
    let (from, to, seconds) = (whole(from), whole(to), Duration::from_secs(whole(seconds)));
    let nodes = nodes.first().map_or(u64::MAX, whole);
    let results = std::env::var("RESULTS").ok();
    let done = results.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    for number in from as usize..to as usize {
        let setup = setup(kind, number);
        if done.contains(&setup.text()) {
            continue;
        }
        let proof = std::env::var("PROOFS").ok();
        let proof =
            proof.map(|directory| Path::new(&directory).join(format!("{game}-{kind}-{number}.proof")));
        let (known, verdict) = match game.as_str() {
            "swish" => solve::<Leap>(&setup, seconds, nodes, proof.as_deref()),
            "squeeze" => solve::<Sandwich>(&setup, seconds, nodes, proof.as_deref()),
            _ => panic!("expected swish or squeeze, found {game:?}"),
        };
        let line = line(number, &setup, known, verdict);
        println!("{line}");
        if let Some(file) = &results {
            let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
            let written = opened.and_then(|mut file| writeln!(file, "{line}"));
            written.unwrap_or_else(|error| panic!("expected to append to {file}: {error}"));
        }
    }
}
