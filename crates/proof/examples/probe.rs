//! Scratch.
use std::time::{Duration, Instant};
use marquis_core::Player;
use marquis_games::beads::{BeadGame, Capture, Immobile, Setup, Leap, Sandwich, Beads, Table};
use marquis_proof::{Limits, Search, Settings, Heuristic, Numbers, Question, NoOracle};
use marquis_core::{Cells, Cell};

struct Dice(u64);
impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }
}
fn pick(d: &mut Dice, cells: Cells, n: usize) -> Cells {
    let mut all: Vec<Cell> = cells.collect();
    let mut s = Cells::EMPTY;
    for _ in 0..n { let i = d.roll(all.len()); s = s.with(all.swap_remove(i)); }
    s
}
fn text(side: u8, w: Cells, b: Cells, o: Cells) -> String {
    let board = marquis_games::hex::Side::new(side).unwrap().board();
    let mut rows = vec![];
    for r in (0..board.rows()).rev() {
        let mut t = String::new(); let mut e = 0;
        for c in board.row(r) {
            let l = if w.contains(c) {'w'} else if b.contains(c) {'b'} else if o.contains(c) {'o'} else {'.'};
            if l=='.' { e+=1; } else { if e>0 {t+=&e.to_string(); e=0;} t.push(l); }
        }
        if e>0 {t+=&e.to_string();}
        rows.push(t);
    }
    rows.join("/")
}
struct Sense { a: f64, b: f64, c: f64, d: f64, kind: u32, e: f64 }
fn env(name: &str, default: f64) -> f64 { std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default) }
impl<R: Capture> Heuristic<BeadGame<R>> for Sense {
    fn numbers(&self, t: &Table, q: Question) -> Numbers {
        if self.kind == 0 { return Numbers::UNIT; }
        let p = q.prover; let o = p.opponent();
        let np = f64::from(10 - t.stores[p].0); let no = f64::from(10 - t.stores[o].0);
        let rp = f64::from(t.rooks[p].len()); let ro = f64::from(t.rooks[o].len());
        let turn = if t.turn == p {1.0} else {-1.0};
        let s = self.a * np - self.b * no - self.c*(rp-ro) - self.d * turn;
        let (x, y) = ((self.e + s).exp2(), (self.e - s).exp2());
        Numbers { proof: x.clamp(1.0, 1e6) as u32, disproof: y.clamp(1.0, 1e6) as u32 }
    }
}
fn run<R: Capture>(setups: &[String], secs: f64, threads: usize) {
    let sense = Sense { a: env("A", 0.5), b: env("B", 0.5), c: env("C", 0.5), d: env("D", 0.5), e: env("E", 1.0), kind: env("KIND", 1.0) as u32 };
    let (mut total, mut nodes, mut solved, mut bait) = (0.0, 0, 0, 0);
    for (i, s) in setups.iter().enumerate() {
        let setup = Setup::parse(s, Beads(0), None).unwrap();
        let mut line = format!("{i:2} ");
        let mut won = false;
        for colour in Player::BOTH {
            let (game, table) = setup.begin::<R>(colour, Immobile::Loss);
            let search = Search::with_knowledge(&game, &NoOracle, &sense, Settings { table_bytes: 1<<29, proof_bytes: 1<<30, threads });
            let begin = Instant::now(); let cpu0 = cpu();
            let limits = Limits { deadline: (secs < 1000.0).then(|| begin + Duration::from_secs_f64(secs)), nodes: (secs >= 1000.0).then_some(secs as u64), ..Limits::default() };
            let found = search.solve(&table, &limits, |_| {});
            let took = cpu() - cpu0;
            total += took; nodes += found.nodes;
            if found.bounds.value().is_some() { solved += 1; }
            won |= found.bounds.value() == Some(marquis_core::Value::Win);
            line += &format!(" {:>6} {took:6.2}s {:9} {:4.0}k/s len {:7} {:?}|", found.bounds.value().map_or("?".into(), |v| v.to_string()), found.nodes, found.nodes as f64/took/1e3, found.strategies.first().map_or(0, |s| s.len()), found.ended);
        }
        bait += usize::from(won);
        println!("{line}");
    }
    println!("solved {solved} bait {bait} of {} total {total:.1}s nodes {nodes}", setups.len());
}
fn cpu() -> f64 {
    let mut sum = 0.0;
    for t in std::fs::read_dir("/proc/self/task").unwrap() {
        let s = std::fs::read_to_string(t.unwrap().path().join("schedstat")).unwrap_or_default();
        sum += s.split(' ').next().and_then(|s| s.parse::<f64>().ok()).unwrap_or(0.0);
    }
    sum / 1e9
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (side, rooks, beads) = if a[2] == "4" { (4, 3, 9) } else { (5, 3, 19) };
    let board = marquis_games::hex::Side::new(side).unwrap().board();
    let mut d = Dice(env("SEED", 2025.0) as u64);
    let n: usize = a[4].parse().unwrap();
    let setups: Vec<String> = (0..n).map(|_| {
        let w = pick(&mut d, board.edge(), rooks);
        let b = pick(&mut d, board.edge() - w, rooks);
        let o = pick(&mut d, board.all() - board.edge(), beads);
        text(side, w, b, o)
    }).collect();
    let (secs, threads) = (a[3].parse().unwrap(), env("THREADS", 1.0) as usize);
    if a[1] == "swish" { run::<Leap>(&setups, secs, threads) } else { run::<Sandwich>(&setups, secs, threads) }
}
