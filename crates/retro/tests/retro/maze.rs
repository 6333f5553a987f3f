//! Random graphs with cycles, several moves to one position, draws and unused indices: all solvers agree.

use std::sync::atomic::AtomicBool;

use crate::common::{built, check_by_judge, quiet};
use marquis_core::{
    Game, Hashed, Indexed, Outcome, Over, Player, Plies, Reason, Retract, Score, Slot, Value,
};
use marquis_retro::layered::solve_bundle;
use marquis_retro::{Counts, Entry, LayerCells, Layers, SolveLimits, Stopped};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

/// Rooms in three layers; from layer 0 no move leads up, layers 1 and 2 lead to each other and down.
/// Every fifth slot is an unused index.
#[derive(Clone, Debug)]
struct Maze {
    rooms: u32,
    /// For each room the rooms that moves lead to; empty if the game is over.
    doors: Vec<Vec<u32>>,
    outcomes: Vec<Outcome>,
}

impl Maze {
    fn new(rooms: u32, seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut below = |end: u32| random.random_range(0..end);
        let all: Vec<u32> = (0..3 * rooms).filter(|room| room % 5 != 0).collect();
        let mut doors = vec![Vec::new(); 3 * rooms as usize];
        let mut outcomes = vec![Outcome::Draw; 3 * rooms as usize];
        for &room in &all {
            if below(6) == 0 {
                let winners = [Player::First, Player::Second].map(Outcome::Winner);
                outcomes[room as usize] =
                    *[Outcome::Draw, winners[0], winners[1]].get(below(3) as usize).unwrap();
                continue;
            }
            let reach = if room < rooms { rooms } else { 3 * rooms };
            let near: Vec<u32> = all.iter().copied().filter(|&other| other < reach).collect();
            for _ in 0..=below(3) {
                doors[room as usize].push(near[below(near.len() as u32) as usize]);
            }
        }
        Self { rooms, doors, outcomes }
    }
}

impl Game for Maze {
    type Position = u32;
    /// The number of a door.
    type Move = usize;

    fn turn(&self, _: &u32) -> Player {
        Player::First
    }

    fn over(&self, room: &u32) -> Option<Over> {
        let outcome = self.outcomes[*room as usize];
        self.doors[*room as usize].is_empty().then_some(Over { reason: Reason::Stuck, outcome })
    }

    fn moves(&self, room: &u32, out: &mut Vec<usize>) {
        out.extend(0..self.doors[*room as usize].len());
    }

    fn play(&self, room: &u32, door: usize) -> u32 {
        self.doors[*room as usize][door]
    }
}

impl Hashed for Maze {
    fn key(&self, room: &u32) -> u64 {
        u64::from(*room + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Indexed for Maze {
    type Layer = u32;

    fn slots(&self, _: u32) -> u64 {
        u64::from(self.rooms)
    }

    fn slot(&self, room: &u32) -> (u32, Slot) {
        (room / self.rooms, Slot(u64::from(room % self.rooms)))
    }

    fn position(&self, layer: u32, slot: Slot) -> Option<u32> {
        Some(layer * self.rooms + slot.0 as u32).filter(|room| room % 5 != 0)
    }

    fn component(&self, layer: u32) -> Vec<u32> {
        if layer == 0 { vec![0] } else { vec![1, 2] }
    }

    fn child_layers(&self, layer: u32) -> Vec<u32> {
        if layer == 0 { Vec::new() } else { vec![0] }
    }
}

impl Retract for Maze {
    fn predecessors(&self, room: &u32, mut visit: impl FnMut(u32, Slot, &u32)) {
        let bundle = self.component(room / self.rooms);
        for (before, doors) in (0..).zip(&self.doors) {
            let (layer, slot) = self.slot(&before);
            if doors.contains(room) && bundle.contains(&layer) {
                visit(layer, slot, &before);
            }
        }
    }
}

#[test]
fn mazes_have_the_scores_of_the_judge() {
    let mut seen = [0; 3];
    for seed in 0..300 {
        let maze = Maze::new(20 + seed as u32 % 60, seed);
        let layers = check_by_judge(&maze, &[0, 1, 2]);
        for layer in [1, 2] {
            let counts = Counts::of(layers.get(layer).unwrap());
            for (seen, count) in seen.iter_mut().zip([counts.losses, counts.draws, counts.wins]) {
                *seen += count;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn random_scores_below_are_carried_upwards_alike() {
    use marquis_retro::layered::solve_bundle_forward;
    let stop = AtomicBool::new(false);
    let limits = SolveLimits::until(&stop);
    for seed in 0..300 {
        let maze = Maze::new(40, seed);
        let mut below = Layers::default();
        let code = |slot: u64| 1 + (slot * 7 + seed * 13) * 2_654_435_761 % 61;
        below.insert(0, LayerCells::Narrow((0..40).map(|slot| code(slot) as u8).collect()));
        let back = solve_bundle(&maze, 1, &below, &limits, &quiet).unwrap();
        assert!(back == solve_bundle_forward(&maze, 1, &below, &limits, &quiet).unwrap());
        for layer in back {
            below.insert(layer.layer, layer.cells);
        }
        for layer in [1, 2] {
            assert_eq!(crate::common::verified(&maze, &below, layer).faults, [], "seed {seed}");
        }
    }
}

/// A corridor: from room n only to room n − 1, and the player to move in room 0 has lost.
#[test]
fn plies_beyond_a_byte_are_kept_in_wider_cells() {
    let corridor = |rooms: u32| {
        let doors = (0..3 * rooms).map(|room| if room % rooms == 0 { Vec::new() } else { vec![room - 1] });
        let outcomes = vec![Outcome::Winner(Player::Second); 3 * rooms as usize];
        Corridor(Maze { rooms, doors: doors.collect(), outcomes })
    };
    let cells = |rooms| built(&corridor(rooms), [0]).remove(0).unwrap();
    // 126 rooms take up to 125 plies, 127 take 126.
    assert!(matches!(cells(126), LayerCells::Narrow(_)));
    let wide = cells(1000);
    assert!(matches!(cells(127), LayerCells::Wide(_)) && matches!(wide, LayerCells::Wide(_)));
    for room in 0..1000 {
        let plies = Plies(room as u16);
        let score = if room % 2 == 0 { Score::Loss(plies) } else { Score::Win(plies) };
        assert_eq!(wide.entry(Slot(room)), Entry::Score(score));
        assert_eq!(score.value() == Value::Loss, room % 2 == 0);
    }
}

/// A maze without unused indices.
#[derive(Clone, Debug)]
struct Corridor(Maze);

impl Game for Corridor {
    type Position = u32;
    type Move = usize;

    fn turn(&self, room: &u32) -> Player {
        self.0.turn(room)
    }

    fn over(&self, room: &u32) -> Option<Over> {
        self.0.over(room)
    }

    fn moves(&self, room: &u32, out: &mut Vec<usize>) {
        self.0.moves(room, out);
    }

    fn play(&self, room: &u32, door: usize) -> u32 {
        self.0.play(room, door)
    }
}

impl Indexed for Corridor {
    type Layer = u32;

    fn slots(&self, layer: u32) -> u64 {
        self.0.slots(layer)
    }

    fn slot(&self, room: &u32) -> (u32, Slot) {
        self.0.slot(room)
    }

    fn position(&self, layer: u32, slot: Slot) -> Option<u32> {
        Some(layer * self.0.rooms + slot.0 as u32)
    }

    fn component(&self, layer: u32) -> Vec<u32> {
        self.0.component(layer)
    }

    fn child_layers(&self, layer: u32) -> Vec<u32> {
        self.0.child_layers(layer)
    }
}

impl Retract for Corridor {
    fn predecessors(&self, room: &u32, visit: impl FnMut(u32, Slot, &u32)) {
        self.0.predecessors(room, visit);
    }
}

#[test]
fn limits_end_the_work() {
    let maze = Maze::new(60, 1);
    let stop = AtomicBool::new(true);
    let stopped = solve_bundle(&maze, 0, &Layers::default(), &SolveLimits::until(&stop), &quiet);
    assert_eq!(stopped, Err(Stopped::Interrupted));
}
