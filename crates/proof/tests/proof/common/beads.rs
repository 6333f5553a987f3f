//! Swish and Squeeze, implemented plainly: sliding rooks that can move in cycles.

use marquis_core::{Game, Hashed, Over, Player, Reason, packed};

/// The two games on the hexagon of side up to 5.
#[derive(Clone, Debug)]
pub struct Beads {
    squeeze: bool,
    target: u8,
    rays: Vec<[Vec<u8>; 6]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rooks: [u64; 2],
    beads: u64,
    stores: [u8; 2],
    turn: Player,
}

packed!(Board { rooks: [u64; 2], beads: u64, stores: [u8; 2], turn: Player });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: u8,
    to: u8,
    taken: u64,
}

impl Beads {
    /// The game and the position of a text like `w1w/4/1ooo1/4/b1b w 0-0 2`.
    pub fn read(text: &str, squeeze: bool) -> (Self, Board) {
        let mut fields = text.split(' ');
        let rows: Vec<&str> = fields.next().unwrap().split('/').collect();
        let count = |number: usize| i32::try_from(number).unwrap();
        let side = (count(rows.len()) + 1) / 2;
        let turn = Player::BOTH[usize::from(fields.next() == Some("b"))];
        let stores: Vec<u8> = fields.next().unwrap().split('-').map(|s| s.parse().unwrap()).collect();
        let target = fields.next().unwrap().parse().unwrap();
        let mut cells = Vec::new();
        let mut board = Board { rooks: [0; 2], beads: 0, stores: [stores[0], stores[1]], turn };
        for (number, row) in rows.iter().enumerate() {
            let r = side - 1 - count(number);
            let mut q = (1 - side).max(1 - side - r);
            for letter in row.chars() {
                let run = letter.to_digit(10).unwrap_or(1);
                for _ in 0..run {
                    let bit = 1_u64 << cells.len();
                    match letter {
                        'w' => board.rooks[0] |= bit,
                        'b' => board.rooks[1] |= bit,
                        'o' => board.beads |= bit,
                        _ => {}
                    }
                    cells.push((q, r));
                    q += 1;
                }
            }
        }
        assert_eq!(count(cells.len()), 3 * side * (side - 1) + 1);
        let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        let ray = |(q, r): (i32, i32), (dq, dr): (i32, i32)| {
            let cell = |k: i32| cells.iter().position(|&c| c == (q + k * dq, r + k * dr));
            (1..).map_while(cell).map(|cell| cell as u8).collect()
        };
        let rays = cells.iter().map(|&cell| steps.map(|step| ray(cell, step))).collect();
        (Self { squeeze, target, rays }, board)
    }

    fn row(&self, ray: &[u8], of: u64) -> (u64, usize) {
        let row = ray.iter().take_while(|&&cell| of >> cell & 1 == 1);
        row.fold((0, 0), |(set, count), &cell| (set | 1 << cell, count + 1))
    }

    fn squeezed(&self, board: &Board, own: u64, enemy: u64, to: u8) -> u64 {
        let mut taken = 0;
        for ray in &self.rays[usize::from(to)] {
            for kind in [board.beads, enemy] {
                let (row, count) = self.row(ray, kind);
                if count > 0 && ray.get(count).is_some_and(|&end| own >> end & 1 == 1) {
                    taken |= row;
                }
            }
        }
        taken
    }
}

impl Game for Beads {
    type Position = Board;
    type Move = Move;

    fn turn(&self, board: &Board) -> Player {
        board.turn
    }

    fn over(&self, board: &Board) -> Option<Over> {
        let other = board.turn.opponent();
        for player in [other, board.turn] {
            if board.stores[usize::from(player == Player::Second)] >= self.target {
                return Some(Over::won(Reason::Target, player));
            }
        }
        let mut moves = Vec::new();
        self.moves(board, &mut moves);
        moves.is_empty().then(|| Over::won(Reason::Stuck, other))
    }

    fn moves(&self, board: &Board, out: &mut Vec<Move>) {
        let mover = usize::from(board.turn == Player::Second);
        let (own, enemy) = (board.rooks[mover], board.rooks[1 - mover]);
        let full = own | enemy | board.beads;
        for from in (0..61_u8).filter(|&cell| own >> cell & 1 == 1) {
            for ray in &self.rays[usize::from(from)] {
                let vacant = |cell: &&u8| full >> **cell & 1 == 0;
                let slide: Vec<u8> = ray.iter().take_while(vacant).copied().collect();
                for &to in &slide {
                    let now = own ^ 1 << from;
                    let taken = if self.squeeze { self.squeezed(board, now, enemy, to) } else { 0 };
                    out.push(Move { from, to, taken });
                }
                let beyond = &ray[slide.len()..];
                let leaps = [self.row(beyond, board.beads), self.row(beyond, enemy)];
                for (taken, count) in leaps.into_iter().filter(|leap| leap.1 > 0 && !self.squeeze) {
                    let run = beyond[count..].iter().take_while(vacant);
                    out.extend(run.map(|&to| Move { from, to, taken }));
                }
            }
        }
    }

    fn play(&self, board: &Board, mv: Move) -> Board {
        let mover = usize::from(board.turn == Player::Second);
        let mut next = *board;
        next.rooks[mover] ^= 1 << mv.from | 1 << mv.to;
        next.rooks[1 - mover] &= !mv.taken;
        next.stores[mover] += (next.beads & mv.taken).count_ones() as u8;
        next.beads &= !mv.taken;
        next.turn = board.turn.opponent();
        next
    }
}

impl Hashed for Beads {
    fn key(&self, board: &Board) -> u64 {
        let mix = |a: u64, b: u64| {
            let wide = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xD1B5_4A32_D192_ED03);
            (wide as u64) ^ (wide >> 64) as u64
        };
        let stores = u64::from(board.stores[0]) << 16 | u64::from(board.stores[1]) << 8;
        let rest = stores | u64::from(board.turn == Player::Second);
        mix(mix(board.rooks[0], board.rooks[1].rotate_left(32)), mix(board.beads, rest << 17 | 5))
    }
}
