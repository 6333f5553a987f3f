//! Blocks coded by a model: an asymmetric numeral system (range variant) over the distributions of the model.
//!
//! A block is cut into [`LANES`] lanes of equal length that are decoded in turns, so that a processor can work on
//! the next lane while it still looks up the last one. The state from which the encoder starts carries a check of
//! the decoded cells: whoever decodes with another model, other given cells or other hints ends in another state.
//!
//! Source: J. Duda, "Asymmetric numeral systems", arXiv:1311.2540; F. Giesen, "Interleaved entropy coders",
//! arXiv:1402.3392.

use super::model::{Look, MAX_BACK, Model, Share, TOTAL, TOTAL_BITS};
use super::{Malformed, Side};
use crate::header::Width;

/// Lanes of a block.
pub(super) const LANES: usize = 4;
/// The smallest state between two symbols; the largest is below 256 times that.
const LOWEST: u32 = 1 << 16;
/// Bytes of the state at the start of a block.
const STATE_BYTES: usize = 3;

/// How long the lanes of a block are; the last ones may be shorter.
pub(super) fn lane_cells(cells: usize) -> usize {
    cells.div_ceil(LANES)
}

/// A model with its tables laid out for decoding.
pub(crate) struct Coder {
    model: Model,
    width: Width,
    /// How many stages at the front look at no earlier cell.
    fixed: usize,
    /// The most frequent symbol of each distribution and where the others start in `others`.
    firsts: Vec<First>,
    others: Vec<Share>,
}

#[derive(Clone, Copy)]
struct First {
    share: Share,
    others: u16,
}

impl Coder {
    /// The coder of a model that looks at nothing that the stream does not have.
    pub(crate) fn new(model: Model, width: Width) -> Self {
        let fixed = model.stages.iter().take_while(|stage| !matches!(stage.look, Look::Back(_))).count();
        let mut firsts = Vec::with_capacity(model.distributions.len());
        let mut others = Vec::new();
        for distribution in &model.distributions {
            firsts.push(First { share: distribution[0], others: others.len() as u16 });
            others.extend_from_slice(&distribution[1..]);
        }
        Self { model, width, fixed, firsts, others }
    }

    /// The coder of these bytes.
    ///
    /// * `given`, `hints`: whether the stream has them.
    pub(crate) fn load(bytes: &[u8], width: Width, given: bool, hints: bool) -> Result<Self, Malformed> {
        let model = Model::from_bytes(bytes, width)?;
        let coder = Self::new(model, width);
        for (number, stage) in coder.model.stages.iter().enumerate() {
            let sound = match stage.look {
                Look::Given => given && number < coder.fixed,
                Look::Hint => hints && number < coder.fixed,
                Look::Back(_) => true,
            };
            if !sound {
                return Err(Malformed("a model that looks at what the stream does not have"));
            }
        }
        Ok(coder)
    }

    pub(crate) fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        self.model.to_bytes(self.width)
    }

    /// The states of all cells after the stages that look at no earlier cell.
    fn fixed_states(&self, side: Side<'_>, cells: usize) -> Vec<u8> {
        let mut states = vec![0; cells];
        for stage in &self.model.stages[..self.fixed] {
            let known = if stage.look == Look::Given { side.given } else { side.hints };
            for (state, &known) in states.iter_mut().zip(known) {
                *state = stage.next[usize::from(*state) * stage.fan + usize::from(known)];
            }
        }
        states
    }

    /// A block in fewer bytes.
    pub(crate) fn encode(&self, cells: &[u8], side: Side<'_>) -> Vec<u8> {
        let width = self.width.bytes();
        let count = cells.len() / width;
        let mut lanes = Lanes::new(count, self.model.outside());
        let symbols = self.symbols(cells);
        lanes.put(&symbols);
        let mut states = self.fixed_states(side, count);
        self.follow(&lanes, &mut states);
        let (state, mut bytes, escapes) = self.code(&symbols, &states, check_of(cells));
        bytes.extend_from_slice(&state.to_le_bytes()[..STATE_BYTES]);
        bytes.reverse();
        // The first escaped cell lies last, so that a decoder finds it without knowing how many there are.
        for &slot in escapes.iter() {
            bytes.extend_from_slice(&cells[slot * width..][..width]);
        }
        bytes
    }

    fn symbols(&self, cells: &[u8]) -> Vec<u8> {
        if self.width == Width::One {
            let table: [u8; 256] = std::array::from_fn(|cell| self.symbol(cell as u32));
            return cells.iter().map(|&cell| table[usize::from(cell)]).collect();
        }
        cells.chunks_exact(self.width.bytes()).map(|cell| self.symbol(self.width.get(cell))).collect()
    }

    /// The symbol of a cell; the escape where the alphabet does not have it.
    fn symbol(&self, cell: u32) -> u8 {
        self.model.alphabet.binary_search(&cell).map_or(self.model.escape(), |symbol| symbol as u8)
    }

    /// Takes the states of all cells through the stages that look at earlier cells.
    fn follow(&self, lanes: &Lanes, states: &mut [u8]) {
        for stage in &self.model.stages[self.fixed..] {
            let Look::Back(back) = stage.look else { continue };
            for (slot, state) in states.iter_mut().enumerate() {
                let earlier = lanes.symbols[lanes.place(slot) - usize::from(back)];
                *state = stage.next[usize::from(*state) * stage.fan + usize::from(earlier)];
            }
        }
    }

    /// The last state, the bytes in the order in which they were shifted out, and the slots of escaped cells in
    /// the order in which they were coded, which is that of decoding backwards.
    fn code(&self, symbols: &[u8], states: &[u8], check: u32) -> (u32, Vec<u8>, Vec<usize>) {
        let mut bytes = Vec::new();
        let mut escapes = Vec::new();
        let mut state = LOWEST + check;
        let lane = lane_cells(symbols.len());
        for turn in (0..lane).rev() {
            for slot in
                (0..LANES).rev().map(|number| number * lane + turn).filter(|&slot| slot < symbols.len())
            {
                let distribution = &self.model.distributions[usize::from(states[slot])];
                let share = distribution.iter().find(|share| share.symbol == symbols[slot]);
                let (share, escaped) = match share {
                    Some(share) => (share, share.symbol == self.model.escape()),
                    None => (self.escape_of(distribution), true),
                };
                if escaped {
                    escapes.push(slot);
                }
                let frequency = u32::from(share.frequency);
                while state >= ((LOWEST >> TOTAL_BITS) << 8) * frequency {
                    bytes.push(state as u8);
                    state >>= 8;
                }
                let start = u32::from(share.end) - frequency;
                state = ((state / frequency) << TOTAL_BITS) + state % frequency + start;
            }
        }
        (state, bytes, escapes)
    }

    /// Every distribution that was trained has an escape; one without could only code its own symbols.
    fn escape_of<'a>(&self, distribution: &'a [Share]) -> &'a Share {
        let escape = distribution.iter().find(|share| share.symbol == self.model.escape());
        escape.unwrap_or(&distribution[0])
    }

    /// Fills `out` with the cells of a block.
    pub(crate) fn decode(&self, packed: &[u8], side: Side<'_>, out: &mut [u8]) -> Result<(), Malformed> {
        let backs: Vec<Back<'_>> = self.model.stages[self.fixed..].iter().filter_map(Back::of).collect();
        match backs.as_slice() {
            [] => self.decode_with::<0>(&[], packed, side, out),
            [a] => self.decode_with(&[*a], packed, side, out),
            [a, b] => self.decode_with(&[*a, *b], packed, side, out),
            [a, b, c] => self.decode_with(&[*a, *b, *c], packed, side, out),
            [a, b, c, d] => self.decode_with(&[*a, *b, *c, *d], packed, side, out),
            [a, b, c, d, e] => self.decode_with(&[*a, *b, *c, *d, *e], packed, side, out),
            _ => Err(Malformed("a model that looks back too often")),
        }
    }

    fn decode_with<const BACKS: usize>(
        &self,
        backs: &[Back<'_>; BACKS],
        packed: &[u8],
        side: Side<'_>,
        out: &mut [u8],
    ) -> Result<(), Malformed> {
        let width = self.width.bytes();
        let count = out.len() / width;
        let fixed = self.fixed_states(side, count);
        let mut lanes = Lanes::new(count, self.model.outside());
        let mut input = Input::new(packed)?;
        let mut escapes = Vec::new();
        let lane = lane_cells(count);
        let escape = self.model.escape();
        for turn in 0..lane {
            for number in 0..LANES {
                let slot = number * lane + turn;
                let Some(&fixed) = fixed.get(slot) else { break };
                let start = number * (lane + MAX_BACK) + turn;
                let Some((earlier, here)) =
                    lanes.symbols.get_mut(start..).and_then(|cells| cells.split_first_chunk_mut::<MAX_BACK>())
                else {
                    break;
                };
                let mut state = u32::from(fixed);
                for back in backs {
                    let symbol = earlier[back.place & (MAX_BACK - 1)];
                    state = back.next[(state + u32::from(symbol)) as usize];
                }
                let share = self.share(state as usize, input.slot());
                input.advance(share);
                here[0] = share.symbol;
                if share.symbol == escape {
                    let cell = input.escaped(width)?;
                    // Later cells look back at what it is, not at how it was coded.
                    here[0] = self.symbol(self.width.get(cell));
                    escapes.push((slot, cell));
                }
            }
        }
        self.put_cells(&lanes, out);
        for (slot, cell) in escapes {
            out[slot * width..][..width].copy_from_slice(cell);
        }
        input.finish(check_of(out))
    }

    /// The symbol that owns a slot of the distribution of a state.
    #[inline]
    fn share(&self, state: usize, slot: u32) -> Share {
        let first = self.firsts[state];
        if slot < u32::from(first.share.end) {
            return first.share;
        }
        let others = &self.others[usize::from(first.others)..];
        others.iter().copied().find(|share| slot < u32::from(share.end)).unwrap_or(first.share)
    }

    fn put_cells(&self, lanes: &Lanes, out: &mut [u8]) {
        let mut table = [0u32; 256];
        table[..self.model.alphabet.len()].copy_from_slice(&self.model.alphabet);
        for (number, lane) in out.chunks_mut(lanes.lane * self.width.bytes()).enumerate() {
            let symbols = &lanes.symbols[number * (lanes.lane + MAX_BACK) + MAX_BACK..];
            if self.width == Width::One {
                for (cell, &symbol) in lane.iter_mut().zip(symbols) {
                    *cell = table[usize::from(symbol)] as u8;
                }
            } else {
                for (cell, &symbol) in lane.chunks_exact_mut(self.width.bytes()).zip(symbols) {
                    self.width.put(table[usize::from(symbol)], cell);
                }
            }
        }
    }
}

/// A stage that looks at an earlier cell.
#[derive(Clone, Copy)]
struct Back<'a> {
    distance: usize,
    next: &'a [u8],
    fan: usize,
}

impl<'a> Back<'a> {
    fn of(stage: &'a super::model::Stage) -> Option<Self> {
        match stage.look {
            Look::Back(distance) => {
                Some(Self { distance: distance.into(), next: &stage.next, fan: stage.fan })
            }
            Look::Given | Look::Hint => None,
        }
    }
}

/// Symbols of a block, each lane behind as many outsides as a stage may look back.
struct Lanes {
    symbols: Vec<u8>,
    lane: usize,
}

impl Lanes {
    fn new(cells: usize, outside: u8) -> Self {
        let lane = lane_cells(cells);
        Self { symbols: vec![outside; LANES * (lane + MAX_BACK)], lane }
    }

    fn place(&self, slot: usize) -> usize {
        slot / self.lane * (self.lane + MAX_BACK) + MAX_BACK + slot % self.lane
    }

    fn put(&mut self, symbols: &[u8]) {
        for (number, lane) in symbols.chunks(self.lane).enumerate() {
            let start = number * (self.lane + MAX_BACK) + MAX_BACK;
            self.symbols[start..start + lane.len()].copy_from_slice(lane);
        }
    }
}

/// The bytes of a block while it is decoded: coded from the front, escaped cells from the back.
struct Input<'a> {
    bytes: &'a [u8],
    next: usize,
    end: usize,
    state: u32,
}

impl<'a> Input<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let state = bytes.get(..STATE_BYTES).ok_or(Malformed("a block without a state"))?;
        let state = state.iter().fold(0, |state, &byte| state << 8 | u32::from(byte));
        Ok(Self { bytes, next: STATE_BYTES, end: bytes.len(), state })
    }

    #[inline]
    fn slot(&self) -> u32 {
        self.state & (TOTAL - 1)
    }

    /// Past the end it reads zeros, which [`finish`](Self::finish) notices.
    #[inline]
    fn advance(&mut self, share: Share) {
        let start = u32::from(share.end) - u32::from(share.frequency);
        self.state = u32::from(share.frequency) * (self.state >> TOTAL_BITS) + self.slot() - start;
        while self.state < LOWEST && self.next < self.end {
            self.state = self.state << 8 | u32::from(self.bytes[self.next]);
            self.next += 1;
        }
    }

    fn escaped(&mut self, width: usize) -> Result<&'a [u8], Malformed> {
        let start = self.end.checked_sub(width).filter(|&start| start >= self.next);
        let start = start.ok_or(Malformed("a block with more escapes than cells for them"))?;
        let cell = &self.bytes[start..self.end];
        self.end = start;
        Ok(cell)
    }

    fn finish(self, check: u32) -> Result<(), Malformed> {
        if self.next == self.end && self.state == LOWEST + check {
            return Ok(());
        }
        Err(Malformed("cells that do not pass their check: wrong hints, or a wrong model"))
    }
}

/// Sixteen bits of the crc32 of the cells.
fn check_of(cells: &[u8]) -> u32 {
    crc32fast::hash(cells) & 0xffff
}
