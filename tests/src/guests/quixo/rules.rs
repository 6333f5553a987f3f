//! Pushes, lines, play and images.

use std::sync::LazyLock;

use marquis_core::{ByPlayer, Cell, Cells, Game, Hashed, Over, Player, Reason, Symmetric, packed};
use marquis_games::key::mix;
use marquis_rank::{Element, Group};

use super::Quixo;

/// The cubes of each player, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cubes {
    /// The cubes that bear each player's sign.
    pub signs: ByPlayer<Cells>,
    /// The player to move.
    pub turn: Player,
}

packed!(Cubes { signs: ByPlayer<Cells>, turn: Player });

impl Cubes {
    /// The cubes with the sign of the player to move, and those of the opponent.
    #[must_use]
    pub fn by_mover(&self) -> [Cells; 2] {
        [self.signs[self.turn], self.signs[self.turn.opponent()]]
    }

    /// The position with the signs and the turn exchanged.
    fn swapped(self) -> Self {
        Self { signs: self.signs.swapped(), turn: self.turn.opponent() }
    }
}

/// A cube taken from a line and pushed back in at an end of it.
#[derive(Debug)]
pub(super) struct Push {
    /// The cell where the cube is taken.
    pub(super) from: Cell,
    /// The cell where it comes back.
    pub(super) to: Cell,
    /// From the end to the cell where the cube is taken: each cube moves to the next cell.
    line: Vec<Cell>,
}

impl Push {
    /// The set after each cube of the line except the last has moved one cell; excludes the pushed cube.
    fn forward(&self, set: Cells) -> Cells {
        let mut after = set;
        for pair in self.line.windows(2) {
            after = if set.contains(pair[0]) { after.with(pair[1]) } else { after.without(pair[1]) };
        }
        after.without(self.to)
    }

    /// The inverse of [`forward`](Self::forward); excludes the taken cube.
    pub(super) fn back(&self, set: Cells) -> Cells {
        let mut before = set;
        for pair in self.line.windows(2) {
            before = if set.contains(pair[1]) { before.with(pair[0]) } else { before.without(pair[0]) };
        }
        before.without(self.from)
    }
}

/// The properties that all positions on a board share.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) pushes: Vec<Push>,
    lines: Vec<Cells>,
    pub(super) group: Group,
}

impl Board {
    fn new(game: Quixo) -> Self {
        let edge = game.edge;
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
        Self { pushes, lines, group: Group::new(square(edge)) }
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

static BOARDS: [LazyLock<Board>; 2] =
    [LazyLock::new(|| Board::new(Quixo::THREE)), LazyLock::new(|| Board::new(Quixo::FOUR))];

impl Quixo {
    pub(super) fn board(self) -> &'static Board {
        &BOARDS[usize::from(self == Self::FOUR)]
    }

    /// The board of blank cubes.
    #[must_use]
    pub const fn start(self) -> Cubes {
        Cubes { signs: ByPlayer::new(Cells::EMPTY, Cells::EMPTY), turn: Player::First }
    }

    fn has_line(self, signs: Cells) -> bool {
        self.board().lines.iter().any(|&line| (line - signs).is_empty())
    }
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
        let [_, enemies] = position.by_mover();
        let pushes = (0..).zip(&self.board().pushes);
        out.extend(pushes.filter(|(_, push)| !enemies.contains(push.from)).map(|(number, _)| number));
    }

    fn play(&self, position: &Cubes, push: u8) -> Cubes {
        let push = &self.board().pushes[usize::from(push)];
        let mut signs = position.signs.map(|set| push.forward(set));
        signs[position.turn] = signs[position.turn].with(push.to);
        Cubes { signs, turn: position.turn.opponent() }
    }
}

impl Hashed for Quixo {
    fn key(&self, position: &Cubes) -> u64 {
        mix(&[position.signs.first.0 << 32 | position.signs.second.0 << 1 | position.turn as u64])
    }
}

/// The symmetries of the square, each without and with the signs exchanged.
impl Symmetric for Quixo {
    fn images(&self) -> usize {
        2 * self.board().group.order()
    }

    fn image(&self, position: &Cubes, number: usize) -> Cubes {
        let swapped = if number.is_multiple_of(2) { *position } else { position.swapped() };
        let element = Element((number / 2) as u8);
        Cubes { signs: swapped.signs.map(|set| self.board().group.image_of(element, set)), ..swapped }
    }

    fn canonical(&self, position: &Cubes) -> Cubes {
        let images = (0..self.images()).map(|number| self.image(position, number));
        images.min_by_key(|image| (image.turn, image.signs)).unwrap_or(*position)
    }
}
