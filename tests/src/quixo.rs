//! Quixo on a small board: a game of other people, to try the solvers on.
//!
//! A player takes a cube from the border that does not bear the opponent's sign, and pushes it back in,
//! bearing his own, from another end of its row or column. A full line of one sign wins; where a move
//! makes lines of both signs, the opponent's counts first.
//!
//! Source: the rules of Quixo (Gigamic, 1995) as in Tanaka et al., "Quixo is solved" (2020).

use std::ops::ControlFlow;

use marquis_core::{
    ByPlayer, Cell, Cells, Game, Hashed, Indexed, Over, Player, Reach, Reason, Retract, Slot,
};
use marquis_rank::{
    Class, Group, SetClasses, binomial, rank_set_beside, set_beside, subset::Rank, unrank_set,
};

/// The cubes of each player, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cubes {
    /// The cubes that bear each player's sign.
    pub signs: ByPlayer<Cells>,
    /// Who is to move.
    pub turn: Player,
}

/// How many cubes bear the sign of the player to move, and of his opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signs {
    /// Of the player to move.
    pub mover: u8,
    /// Of the other one.
    pub waiter: u8,
}

/// A cube taken at one place of a line and pushed back in at an end of it.
#[derive(Clone, Debug)]
struct Push {
    /// Where the cube is taken.
    from: Cell,
    /// Where it comes back.
    to: Cell,
    /// From the end to the place: each cell moves to the next one.
    line: Vec<Cell>,
}

/// Quixo on a square board, with all that numbers its positions.
#[derive(Clone, Debug)]
pub struct Quixo {
    cells: u32,
    pushes: Vec<Push>,
    lines: Vec<Cells>,
    group: Group,
    sets: Vec<SetClasses>,
}

impl Quixo {
    /// The game on a board of `edge` × `edge` cubes; panics unless `edge` is 3 or 4.
    #[must_use]
    pub fn new(edge: u8) -> Self {
        assert!((3..=4).contains(&edge), "3 or 4 cubes an edge");
        let at = |x: u8, y: u8| Cell(y * edge + x);
        let across = (0..edge).flat_map(|n| {
            let row = (0..edge).map(move |x| at(x, n)).collect::<Vec<_>>();
            let column = (0..edge).map(move |y| at(n, y)).collect();
            [(row, n), (column, n)]
        });
        let (mut pushes, mut lines) = (Vec::new(), Vec::new());
        for (line, number) in across {
            lines.push(line.iter().copied().collect());
            let border = number == 0 || number == edge - 1;
            let reversed: Vec<Cell> = line.iter().rev().copied().collect();
            for line in [line, reversed] {
                let places = (1..line.len()).filter(|&place| border || place == line.len() - 1);
                pushes.extend(places.map(|place| Push {
                    from: line[place],
                    to: line[0],
                    line: line[..=place].to_vec(),
                }));
            }
        }
        lines.push((0..edge).map(|n| at(n, n)).collect());
        lines.push((0..edge).map(|n| at(n, edge - 1 - n)).collect());
        let group = Group::new(square(edge));
        let cells = u32::from(edge) * u32::from(edge);
        let sets = (0..=cells).map(|size| SetClasses::new(&group, size)).collect();
        Self { cells, pushes, lines, group, sets }
    }

    /// The empty board.
    #[must_use]
    pub fn start(&self) -> Cubes {
        Cubes { signs: ByPlayer::new(Cells::EMPTY, Cells::EMPTY), turn: Player::First }
    }

    /// All layers, in rising order.
    #[must_use]
    pub fn layers(&self) -> Vec<Signs> {
        let all = 0..=self.cells as u8;
        let pairs = all.clone().flat_map(|mover| all.clone().map(move |waiter| Signs { mover, waiter }));
        pairs.filter(|signs| u32::from(signs.mover + signs.waiter) <= self.cells).collect()
    }

    /// How many positions, with either player to move, share the slot of this one.
    #[must_use]
    pub fn images(&self, position: &Cubes) -> u64 {
        let image = |element| position.signs.map(|set| self.group.image_of(element, set));
        let same = self.group.elements().filter(|&element| image(element) == position.signs).count();
        (2 * self.group.order() / same) as u64
    }

    fn has_line(&self, signs: Cells) -> bool {
        self.lines.iter().any(|&line| (line - signs).is_empty())
    }

    fn slots_a_class(&self, signs: Signs) -> u64 {
        binomial(self.cells - u32::from(signs.mover), u32::from(signs.waiter))
    }
}

/// The eight symmetries of a square, the identity first.
fn square(edge: u8) -> Vec<Vec<Cell>> {
    let image = |number: u8, x: u8, y: u8| {
        let (x, y) = if number & 1 == 0 { (x, y) } else { (y, x) };
        let x = if number & 2 == 0 { x } else { edge - 1 - x };
        let y = if number & 4 == 0 { y } else { edge - 1 - y };
        Cell(y * edge + x)
    };
    let all = |number| (0..edge * edge).map(|cell| image(number, cell % edge, cell / edge)).collect();
    (0..8).map(all).collect()
}

/// The set after each cube of `line` but the last went one place on, and the last one to the first place.
fn pushed(set: Cells, line: &[Cell]) -> Cells {
    let mut after = set;
    for pair in line.windows(2) {
        after = if set.contains(pair[0]) { after.with(pair[1]) } else { after.without(pair[1]) };
    }
    after.without(line[0])
}

/// The inverse of [`pushed`], the taken cube left out.
fn pulled(set: Cells, line: &[Cell]) -> Cells {
    let mut before = set;
    for pair in line.windows(2) {
        before = if set.contains(pair[1]) { before.with(pair[0]) } else { before.without(pair[0]) };
    }
    before.without(line[line.len() - 1])
}

impl Game for Quixo {
    type Position = Cubes;
    /// The number of a push.
    type Move = u8;

    fn turn(&self, position: &Cubes) -> Player {
        position.turn
    }

    fn over(&self, position: &Cubes) -> Option<Over> {
        let players = [position.turn, position.turn.opponent()];
        let winner = players.into_iter().find(|&player| self.has_line(position.signs[player]))?;
        Some(Over::won(Reason::Line, winner))
    }

    fn moves(&self, position: &Cubes, out: &mut Vec<u8>) {
        let enemies = position.signs[position.turn.opponent()];
        out.extend((0..).zip(&self.pushes).filter(|(_, push)| !enemies.contains(push.from)).map(|(n, _)| n));
    }

    fn play(&self, position: &Cubes, push: u8) -> Cubes {
        let push = &self.pushes[usize::from(push)];
        let mut signs = position.signs.map(|set| pushed(set, &push.line));
        signs[position.turn] = signs[position.turn].with(push.to);
        Cubes { signs, turn: position.turn.opponent() }
    }
}

impl Hashed for Quixo {
    fn key(&self, position: &Cubes) -> u64 {
        let cells = position.signs.first.0 << 32 | position.signs.second.0 << 1 | position.turn as u64;
        (cells + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Indexed for Quixo {
    type Layer = Signs;

    fn slots(&self, layer: Signs) -> u64 {
        u64::from(self.sets[usize::from(layer.mover)].count()) * self.slots_a_class(layer)
    }

    fn slot(&self, position: &Cubes) -> (Signs, Slot) {
        let (mover, waiter) = (position.signs[position.turn], position.signs[position.turn.opponent()]);
        let layer = Signs { mover: mover.len() as u8, waiter: waiter.len() as u8 };
        let sets = &self.sets[usize::from(layer.mover)];
        let (class, element) = sets.find(mover);
        let waiter = sets.smallest_beside(&self.group, class, self.group.image_of(element, waiter));
        let Rank(rank) = rank_set_beside(waiter, sets.representative(class));
        (layer, Slot(u64::from(class.0) * self.slots_a_class(layer) + rank))
    }

    fn position(&self, layer: Signs, slot: Slot) -> Option<Cubes> {
        let each = self.slots_a_class(layer);
        let class = Class((slot.0 / each) as u32);
        let sets = &self.sets[usize::from(layer.mover)];
        let mover = sets.representative(class);
        let waiter = set_beside(unrank_set(Rank(slot.0 % each), u32::from(layer.waiter)), mover);
        let canonical = sets.smallest_beside(&self.group, class, waiter) == waiter;
        canonical.then_some(Cubes { signs: ByPlayer::new(mover, waiter), turn: Player::First })
    }

    fn peers(&self, layer: Signs) -> Vec<Signs> {
        let mut peers = vec![layer, Signs { mover: layer.waiter, waiter: layer.mover }];
        peers.sort();
        peers.dedup();
        peers
    }

    fn below(&self, layer: Signs) -> Vec<Signs> {
        let signed = |layer: Signs| Signs { mover: layer.waiter, waiter: layer.mover + 1 };
        let mut below: Vec<Signs> = self.peers(layer).into_iter().map(signed).collect();
        below.retain(|below| u32::from(below.mover + below.waiter) <= self.cells);
        below.sort();
        below.dedup();
        below
    }

    fn successors<B>(
        &self,
        position: &Cubes,
        reach: Reach,
        mut visit: impl FnMut(Signs, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (own, enemies) = (position.signs[position.turn], position.signs[position.turn.opponent()]);
        for (number, push) in (0..).zip(&self.pushes) {
            let wanted = match reach {
                Reach::All => true,
                Reach::Peers => own.contains(push.from),
                Reach::Below => !own.contains(push.from),
            };
            if wanted && !enemies.contains(push.from) {
                let (layer, slot) = self.slot(&self.play(position, number));
                visit(layer, slot)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Retract for Quixo {
    fn predecessors(&self, position: &Cubes, mut visit: impl FnMut(Signs, Slot, &Cubes)) {
        let mover = position.turn.opponent();
        for push in &self.pushes {
            if !position.signs[mover].contains(push.to) {
                continue;
            }
            let mut signs = position.signs.map(|set| pulled(set, &push.line));
            signs[mover] = signs[mover].with(push.from);
            let before = Cubes { signs, turn: mover };
            let (layer, slot) = self.slot(&before);
            visit(layer, slot, &before);
        }
    }
}
