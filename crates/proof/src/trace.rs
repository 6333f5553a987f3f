//! Follows the winning moves of the table from a position to the end of every line, and writes them as a strategy.
//!
//! Keeps only the positions met and the bytes of the strategy, and moves the positions to disk if they do not fit. So
//! it can write a proof of hundreds of millions of positions, for which the graph of [`win`](crate::win) would not
//! fit. A line that returns to its own path proves nothing: the trace goes back to the prover's last earlier move
//! that has a winning alternative.
//!
//! The table may hold wins that rest on each other: it evicted the first of them, and proved it again through the
//! second. If all winning moves lead back, the trace makes the table forget the positions of the path, and searches
//! the position again. With many such lines this becomes ever slower; the graph resolves all of them together.

use marquis_core::{Hashed, Packed};

use crate::Guarantee;
use crate::knowledge::{LeafReason, World};
use crate::limits::NodeMeter;
use crate::listed::{NotedPositions, ProofRoom};
use crate::met::MetNumber;
use crate::settle::{SILENT, Settled, Settler, UNTIL_SETTLED};
use crate::strategy::{Strategy, Writer, WriterMark};
use crate::stream::StreamWriter;
use crate::{Ended, Heuristic, Oracle};

/// Moves taken back before the trace gives up.
const MOST_RETRIES: u32 = 10_000;
/// The maximum number of positions to search again, and the nodes for each of them.
const MOST_MENDINGS: u32 = 100;
const MENDING_NODES: u64 = 100_000;

/// The state of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TraceStage {
    /// On the path.
    OnPath,
    /// All its lines were followed to the end.
    Won,
}

impl Packed for TraceStage {
    const BYTES: usize = 1;

    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self == Self::Won));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(if u8::unpack(bytes)? == 0 { Self::OnPath } else { Self::Won })
    }
}

/// The result of following a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Followed {
    /// All its lines end in a win.
    Won,
    /// The top of the path has lines left to follow.
    Open,
    /// The prover does not win by this move.
    Fails,
}

/// Why a trace stopped.
enum TraceHalt {
    Limit(Ended),
    /// A line ends on a table, but the bytes have no marks.
    NeedsMarks,
}

impl From<Ended> for TraceHalt {
    fn from(ended: Ended) -> Self {
        Self::Limit(ended)
    }
}

/// A position on the path.
#[derive(Clone, Copy, Debug)]
struct Frame<P> {
    position: P,
    id: MetNumber,
    /// Its moves start here in the list of moves, and end where those of the next position start.
    begin: usize,
    /// The move being followed.
    current: usize,
    /// If the prover is to move: the bytes before the move. Its moves are then those tried so far.
    before_move: Option<WriterMark>,
    /// Whether it was searched again.
    mended: bool,
}

struct Trace<'s, 'a, 'l, 'r, G: Hashed, O, H> {
    world: World<'a, G, O, H>,
    settler: &'s mut Settler<'a, G, O, H>,
    meter: &'s mut NodeMeter<'l>,
    room: &'s mut ProofRoom<'r>,
    met: NotedPositions<'r, G::Position, TraceStage>,
    path: Vec<Frame<G::Position>>,
    /// The moves of the positions of the path, with their numbers.
    moves: Vec<(u16, G::Move)>,
    legal: Vec<G::Move>,
    writer: Writer,
    retries: u32,
    mendings: u32,
}

/// The prover's win from `root` by the table's moves; `None` if they do not form a proof.
///
/// * `stream`: receives the bytes on the way.
///
/// # Errors
/// The limit that ended it.
pub(crate) fn trace_win<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'a, G, O, H>,
    root: &G::Position,
    settler: &mut Settler<'a, G, O, H>,
    meter: &mut NodeMeter<'_>,
    room: &mut ProofRoom<'_>,
    mut stream: Option<StreamWriter>,
) -> Result<Option<Strategy<G>>, Ended> {
    let prover = settler.question().prover;
    // Marks cost a byte per position, so the first attempt does without them.
    for marks in [false, true] {
        let mut trace = Trace {
            world,
            settler: &mut *settler,
            meter: &mut *meter,
            room: &mut *room,
            met: NotedPositions::default(),
            path: Vec::new(),
            moves: Vec::new(),
            legal: Vec::new(),
            writer: Writer::new::<G>(prover, Guarantee::Win, marks).sending(stream.take()),
            retries: 0,
            mendings: 0,
        };
        match trace.run(root) {
            Ok(true) => return Ok(Some(trace.writer.finish(*root))),
            Ok(false) => break,
            Err(TraceHalt::NeedsMarks) => {}
            Err(TraceHalt::Limit(ended)) => return Err(ended),
        }
    }
    Ok(None)
}

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> Trace<'_, '_, '_, '_, G, O, H> {
    /// Whether the prover wins by the table's moves.
    fn run(&mut self, root: &G::Position) -> Result<bool, TraceHalt> {
        let mut followed = self.follow(*root)?;
        while let Some(top) = self.path.last_mut() {
            if followed == Followed::Won {
                top.current += 1;
            }
            followed = match followed {
                Followed::Fails if self.retries == MOST_RETRIES => return Ok(false),
                Followed::Fails => self.retry()?,
                Followed::Won | Followed::Open => self.advance()?,
            };
        }
        Ok(followed == Followed::Won)
    }

    /// Follows a line to a position: ends it there, or pushes the position onto the path.
    fn follow(&mut self, position: G::Position) -> Result<Followed, TraceHalt> {
        let closed = self.world.closed(&position, self.settler.question());
        match closed {
            Some(closed) if !closed.yes => return Ok(Followed::Fails),
            Some(closed) if closed.ground == LeafReason::Over => return Ok(Followed::Won),
            _ => {}
        }
        if let Some(id) = self.met.find(&position)? {
            let returns = self.met.note(id)? == TraceStage::OnPath;
            return Ok(if returns { Followed::Fails } else { Followed::Won });
        }
        if closed.is_some() {
            return self.end_on_table(position);
        }
        self.meter.spend(1)?;
        let id = self.meet(position, TraceStage::OnPath)?;
        self.writer.go_on();
        let (begin, before_move) = (self.moves.len(), self.writer.mark());
        let mine = self.world.game.turn(&position) == self.settler.question().prover;
        let before_move = mine.then_some(before_move);
        self.path.push(Frame { position, id, begin, current: begin, before_move, mended: false });
        self.list(&position);
        if !mine {
            self.moves.extend((0..).zip(self.legal.iter().copied()));
        } else if let Some(number) = self.first_choice(&position)? {
            self.play(number);
        } else {
            return Ok(Followed::Fails);
        }
        Ok(Followed::Open)
    }

    fn end_on_table(&mut self, position: G::Position) -> Result<Followed, TraceHalt> {
        if !self.writer.marks() {
            return Err(TraceHalt::NeedsMarks);
        }
        self.meet(position, TraceStage::Won)?;
        self.writer.end_on_table();
        Ok(Followed::Won)
    }

    fn meet(&mut self, position: G::Position, stage: TraceStage) -> Result<MetNumber, Ended> {
        if self.met.begins_chunk() {
            self.room.make(&mut self.met, self.writer.memory())?;
        }
        self.met.add(position, stage)
    }

    fn list(&mut self, position: &G::Position) {
        self.legal.clear();
        self.world.game.moves(position, &mut self.legal);
    }

    /// The prover's move that wins at once, or the table's fastest win, after a search if it has none. The legal moves
    /// are listed.
    fn first_choice(&mut self, position: &G::Position) -> Result<Option<u16>, Ended> {
        if let Some(number) = self.settler.winning(position, &self.legal) {
            return Ok(Some(number));
        }
        let best = self.settler.candidates(position).into_iter().min();
        if let Some((_, number)) = best.filter(|&(plies, _)| plies < SILENT) {
            return Ok(Some(number));
        }
        let settled = self.settler.settle(position, UNTIL_SETTLED, self.meter)?;
        Ok(if let Settled::Yes(number) = settled { Some(number) } else { None })
    }

    /// Writes the prover's move at the top of the path; its legal moves are listed.
    fn play(&mut self, number: u16) {
        let mv = self.legal.get(usize::from(number)).copied();
        self.moves.extend(mv.map(|mv| (number, mv)));
        self.writer.play(number);
    }

    /// Follows the next move at the top of the path, or pops the path if no move is left.
    fn advance(&mut self) -> Result<Followed, TraceHalt> {
        let Some(top) = self.path.last() else { return Ok(Followed::Won) };
        if let Some(&(_, mv)) = self.moves.get(top.current) {
            return self.follow(self.world.game.play(&top.position, mv));
        }
        self.met.set_note(top.id, TraceStage::Won)?;
        self.moves.truncate(top.begin);
        self.path.pop();
        Ok(Followed::Won)
    }

    /// Tries the prover's next winning move at the top of the path, or pops and forgets the position.
    fn retry(&mut self) -> Result<Followed, Ended> {
        let Some(&Frame { position, id, begin, current, before_move, .. }) = self.path.last() else {
            return Ok(Followed::Fails);
        };
        if let Some(before_move) = before_move {
            self.retries += 1;
            let mut candidates = self.settler.candidates(&position);
            let tried = &self.moves[begin..];
            let is_new = |number: u16| tried.iter().all(|&(tried, _)| tried != number);
            candidates.retain(|&(plies, number)| plies < SILENT && is_new(number));
            let known = candidates.into_iter().min().map(|(_, number)| number);
            if let Some(number) = known.map_or_else(|| self.mend(&position), |known| Ok(Some(known)))? {
                self.writer.back_to(before_move);
                self.list(&position);
                self.play(number);
                if let Some(top) = self.path.last_mut() {
                    top.current = current + 1;
                }
                return Ok(Followed::Open);
            }
        }
        self.settler.forget(&position);
        self.met.truncate(id);
        self.moves.truncate(begin);
        self.path.pop();
        Ok(Followed::Fails)
    }

    /// A winning move for the prover at the top of the path, searched after the table forgot the positions of the
    /// path. `None` if that was done before, or if no win is found.
    fn mend(&mut self, position: &G::Position) -> Result<Option<u16>, Ended> {
        let top = self.path.last_mut().filter(|top| !top.mended && self.mendings < MOST_MENDINGS);
        let Some(top) = top else { return Ok(None) };
        top.mended = true;
        self.mendings += 1;
        self.path.iter().for_each(|frame| self.settler.forget(&frame.position));
        let settled = self.settler.settle(position, MENDING_NODES, self.meter)?;
        Ok(if let Settled::Yes(number) = settled { Some(number) } else { None })
    }
}

#[cfg(test)]
mod tests;
