//! Reliability of the chances of a game: `calibrate GAME GAMES NODES FOLDER [AGAIN]`, with GAME such as `squish:4`.
//!
//! The engine plays itself from fair random openings that no training used, and the search's estimates of unproved
//! positions are compared with the results of the games. FOLDER gets `BOARD.txt`, `BOARD.svg` and the games, which a
//! second run resumes. Existing games of the same weights and budget, such as those of the training's next
//! generation, count as well. The last lines of the output belong into `crates/sense/weights/calibration.txt`.

mod reliability;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use marquis_core::Game;
use marquis_eval::{Calibration, Estimator, Evaluate as _, HandMade, Leaning, Terms as _, file};
use marquis_play::{Budget, NoOracle, Searcher};
use marquis_sense::lessons::LessonVisitor;
use marquis_sense::{Schooled, Weights, beads, squinch, unification};
use marquis_train::generations::{mixed, records, write};
use marquis_train::selfplay::{TABLE, game};
use marquis_train::{Lesson, TrainingGame, terms};
use svg::Document;
use svg::node::element::{Circle, Line, Rectangle, Text};

use reliability::{ByPhase, Reliability, Seen, fit, held_out, reliability, seen};

/// No training plays games with this seed.
const SEED: u64 = 0x00ca_11b8;
/// The number of games per file.
const FILE: u64 = 100;
/// One in `AGAIN` games is searched again with hand-made terms, unless the argument AGAIN overrides it; 0 means none.
const AGAIN: usize = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, games, nodes, folder, again @ ..] = &arguments[..] else {
        eprintln!("calibrate GAME GAMES NODES FOLDER [AGAIN]");
        std::process::exit(2);
    };
    let again = again.first().map_or(AGAIN, |text| text.parse().expect("one game in how many"));
    let (games, nodes) =
        (games.parse().expect("a number of games"), nodes.parse().expect("a number of nodes"));
    let sample = Sample { games, nodes, again };
    let folder = Path::new(folder);
    let (game, size) = name.split_once(':').map_or((name.as_str(), None), |(game, size)| (game, Some(size)));
    let visited = unification::visit_lesson(game, size, Calibrating { sample: &sample, folder })
        .or_else(|what| beads::visit_lesson(game, size, what))
        .or_else(|what| squinch::visit_lesson(game, size, what));
    if visited.is_err() {
        eprintln!("no such board: {name}");
    }
}

const SEARCH_BY_TERMS: &str = "a search with hand-made terms";

/// The amount of work.
struct Sample {
    games: u64,
    /// Positions per move.
    nodes: u64,
    /// One in `again` games is searched again.
    again: usize,
}

/// One way to judge positions, and its estimates for each game.
struct Judged {
    name: &'static str,
    games: Vec<Vec<Seen>>,
}

/// The calibration of a board.
struct Calibrating<'a> {
    sample: &'a Sample,
    folder: &'a Path,
}

impl LessonVisitor for Calibrating<'_> {
    type Output = ();

    fn visit<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        run(lesson, self.sample, self.folder);
    }
}

fn run<L: Lesson>(lesson: &L, &Sample { games, nodes, again }: &Sample, folder: &Path)
where
    L::Game: Schooled<Sense = L::Sense>,
{
    let rules = lesson.rules();
    let board = rules.schooling().name();
    let records = played(lesson, games, nodes, &folder.join("games"), &board);
    let learned = matches!(Weights::embedded().estimator(&rules), Estimator::Learned(_));
    let judged = judged(lesson, &records, nodes, again);
    let positions: usize = judged[0].games.iter().map(Vec::len).sum();
    let mut text = format!(
        "{board}: {} games of the engine against itself from fair random openings, {nodes} positions a move.\n\
         {positions} positions that its search could not prove; the chance that it gives is the result between two\n\
         equal engines of that budget. Each half of the games is judged by maps, one a phase,\n\
         that were fitted to the other half.\n\n\
         {:<34}{:>10}{:>9}{:>9}{:>9}{:>9}\n",
        records.len(),
        "",
        "positions",
        "slope",
        "draws",
        "Brier",
        "error"
    );
    for Judged { name, games } in &judged {
        let (map, found) = (fit(&games.concat()), reliability(held_out(games)));
        let count: usize = games.iter().map(Vec::len).sum();
        let Calibration { slope, draws } = map;
        let _ = writeln!(
            text,
            "{name:<34}{count:>10}{slope:>9.3}{draws:>9.3}{:>9.4}{:>9.4}",
            found.brier, found.error
        );
    }
    let said = held_out(&judged[0].games);
    let found = reliability(said.iter().copied());
    let _ = writeln!(text, "\n{:<34}{:>10}{:>9}{:>9}", judged[0].name, "positions", "said", "came");
    for bin in found.bins.iter().filter(|bin| bin.count > 0) {
        let _ = writeln!(text, "{:<34}{:>10}{:>9.4}{:>9.4}", "", bin.count, bin.said, bin.came);
    }
    let _ = writeln!(
        text,
        "\n{:<34}{:>10}{:>9}{:>9}",
        "by plies since the opening", "positions", "Brier", "error"
    );
    for [from, to] in [[0, 4], [4, 8], [8, 16], [16, 32], [32, usize::MAX]] {
        let name = if to == usize::MAX { format!("from {from} on") } else { format!("{from} to {}", to - 1) };
        part(&mut text, &name, &said, |seen| (from..to).contains(&seen.ply));
    }
    let _ = writeln!(
        text,
        "\n{:<34}{:>10}{:>9}{:>9}",
        "by phase, each with its map", "positions", "Brier", "error"
    );
    let phases: BTreeSet<u8> = said.iter().map(|(_, seen)| seen.phase).collect();
    for phase in phases {
        part(&mut text, &format!("phase {phase}"), &said, |seen| seen.phase == phase);
    }
    print!("{text}");
    write(&folder.join(format!("{board}.txt")), text.as_bytes()).expect("the figures can be written");
    let drawing = diagram(&board, &found).to_string();
    write(&folder.join(format!("{board}.svg")), drawing.as_bytes()).expect("the diagram can be written");
    if learned {
        let ByPhase { all, phases } = ByPhase::fit(&judged[0].games.concat());
        row(&board, all);
        phases.into_iter().for_each(|(phase, map)| row(&format!("{board} {phase}"), map));
    }
    // One row for the terms on every board: the phases of boards differ.
    let by_terms = judged.iter().find(|judged| !learned || judged.name == SEARCH_BY_TERMS);
    by_terms.into_iter().for_each(|judged| row(rules.schooling().game, fit(&judged.games.concat())));
}

/// Prints a line of `calibration.txt`.
fn row(name: &str, Calibration { slope, draws }: Calibration) {
    println!("{name} {slope:.3} {draws:.3}");
}

/// One line per part of the positions: their number, and the reliability of their estimates.
fn part(text: &mut String, name: &str, said: &[(f64, Seen)], belongs: impl Fn(&Seen) -> bool) {
    let part: Vec<_> = said.iter().filter(|(_, seen)| belongs(seen)).copied().collect();
    let found = reliability(part.iter().copied());
    let _ = writeln!(text, "{name:<34}{:>10}{:>9.4}{:>9.4}", part.len(), found.brier, found.error);
}

/// Games of the engine against itself; existing ones are not played again.
fn played<L: Lesson>(lesson: &L, games: u64, nodes: u64, folder: &Path, board: &str) -> Vec<TrainingGame>
where
    L::Game: Schooled<Sense = L::Sense>,
{
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let mut searcher = Weights::embedded().searcher(&lesson.rules(), NoOracle, TABLE);
    // Other weights play other games.
    let weights = match searcher.evaluation() {
        Estimator::Terms(_) => format!("{:?}", L::Sense::WEIGHTS).into_bytes(),
        Estimator::Learned(learned) => file::write(&lesson.identity(), learned.network()),
    };
    let weights = &blake3::hash(&weights).to_hex()[..8];
    let mut all = Vec::new();
    for part in 0..games.div_ceil(FILE) {
        let path = folder.join(format!("{board}-{weights}-{nodes}-{part:03}.txt"));
        if !path.exists() {
            let mut text = String::new();
            for number in part * FILE..(part + 1) * FILE {
                let _ = writeln!(text, "{}", game(lesson, &mut searcher, nodes, mixed(&[SEED, number])));
            }
            write(&path, text.as_bytes()).expect("the games can be written");
            eprintln!("{} games", (part + 1) * FILE);
        }
        all.extend(records(&path).expect("the games can be read"));
    }
    all
}

/// The estimates from the games, from the evaluation without a search, and from hand-made terms.
fn judged<L: Lesson>(lesson: &L, records: &[TrainingGame], nodes: u64, again: usize) -> Vec<Judged>
where
    L::Game: Schooled<Sense = L::Sense>,
{
    let estimator = Weights::embedded().estimator(&lesson.rules());
    let evaluation = |rules: &L::Game, position: &<L::Game as Game>::Position| {
        estimator.leaning(rules, position, &estimator.see(rules, position))
    };
    let with_terms = Estimator::<L::Sense>::Terms(HandMade::new());
    let mut searcher = Searcher::new(with_terms, L::Sense::default(), TABLE);
    // Fitted to the games that they are judged by: the best case for them.
    let (weights, _) = terms::fit(lesson, records);
    let by_terms = |rules: &L::Game, position: &<L::Game as Game>::Position| {
        let terms = L::Sense::terms(rules, position).map(f64::from);
        Leaning::new(terms.iter().zip(weights).map(|(term, weight)| term * weight).sum::<f64>().round() as i32)
    };
    let mut judged = ["the search", "its evaluation alone", SEARCH_BY_TERMS, "hand-made terms alone"]
        .map(|name| Judged { name, games: Vec::new() });
    for (number, record) in records.iter().enumerate() {
        let found = seen(lesson, record, &mut |_, _, _, leaning| leaning);
        judged[0].games.push(found);
        let found = seen(lesson, record, &mut |rules, _, position, _| evaluation(rules, position));
        judged[1].games.push(found);
        if again > 0 && number % (2 * again) < 2 {
            searcher.forget();
            let mut search = |rules: &L::Game, past: &[_], position: &_, _| {
                searcher.think(rules, past, position, &Budget::nodes(nodes), &mut |_| {}).leaning
            };
            judged[2].games.push(seen(lesson, record, &mut search));
        }
        let found = seen(lesson, record, &mut |rules, _, position, _| by_terms(rules, position));
        judged[3].games.push(found);
    }
    judged.into_iter().filter(|judged| !judged.games.is_empty()).collect()
}

/// Estimates on the x axis, results on the y axis; the size of a dot shows the number of positions.
fn diagram(board: &str, found: &Reliability) -> Document {
    let (side, left, top) = (300.0, 50.0, 40.0);
    let mut plot = Document::new().set("viewBox", (0, 0, 370, 400)).set("width", 370).set("height", 400);
    plot = plot.add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "white"));
    let words = |x: f64, y: f64, anchor: &str, text: String| {
        Text::new(text)
            .set("x", x)
            .set("y", y)
            .set("font-family", "sans-serif")
            .set("font-size", 12)
            .set("text-anchor", anchor)
    };
    let title = format!("{board}: Brier {:.4}, calibration error {:.4}", found.brier, found.error);
    plot = plot.add(words(left, 24.0, "start", title));
    let (x, y) = (|part: f64| left + side * part, |part: f64| top + side * (1.0 - part));
    let line = |from: (f64, f64), to: (f64, f64), colour: &str| {
        Line::new()
            .set("x1", x(from.0))
            .set("y1", y(from.1))
            .set("x2", x(to.0))
            .set("y2", y(to.1))
            .set("stroke", colour)
    };
    for tenth in (0..=10).step_by(2) {
        let part = f64::from(tenth) / 10.0;
        plot = plot.add(line((part, 0.0), (part, 1.0), "#ddd")).add(line((0.0, part), (1.0, part), "#ddd"));
        plot = plot.add(words(x(part), y(0.0) + 16.0, "middle", format!("{} %", 10 * tenth)));
        plot = plot.add(words(x(0.0) - 6.0, y(part) + 4.0, "end", format!("{}", 10 * tenth)));
    }
    plot = plot.add(line((0.0, 0.0), (1.0, 1.0), "#888"));
    plot = plot.add(words(x(0.5), y(0.0) + 36.0, "middle", "said across, came upwards".to_owned()));
    let all: usize = found.bins.iter().map(|bin| bin.count).sum();
    for bin in found.bins.iter().filter(|bin| bin.count > 0) {
        let size = 3.0 + 12.0 * (bin.count as f64 / all.max(1) as f64).sqrt();
        plot = plot.add(
            Circle::new().set("cx", x(bin.said)).set("cy", y(bin.came)).set("r", size).set("fill", "#36c"),
        );
    }
    plot
}
