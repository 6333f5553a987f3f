//! Blocks coded by a model: an asymmetric numeral system (range variant) over the distributions of the model.
//!
//! A block is cut into [`LANES`] lanes of equal length that are decoded in turn, so that a processor can work on the
//! next lane while it still looks up the last one. The initial state of the encoder carries a check of the decoded
//! cells: a decoder with another model, other given cells or other hints ends in another state.
//!
//! Source: J. Duda, "Asymmetric numeral systems", arXiv:1311.2540; F. Giesen, "Interleaved entropy coders",
//! arXiv:1402.3392.

use super::model::{MAX_BACK, MAX_STATES, Model, ModelStage, StageInput, SymbolShare, TOTAL, TOTAL_BITS};
use super::{Malformed, SideData};
use crate::header::Width;

/// Lanes of a block.
pub(super) const LANES: usize = 4;
/// States of the numeral system; lane `n` is coded by state `n % STATES`, so that lanes do not wait for each other.
const STATES: usize = 2;
/// The smallest state between two symbols; the largest is below 2^16 times that.
const LOWEST: u32 = 1 << 16;
/// Bytes of the states at the start of a block.
const STATES_BYTES: usize = 4 * STATES;

/// The length of the lanes of a block; the last ones may be shorter.
pub(super) fn lane_cells(cells: usize) -> usize {
    cells.div_ceil(LANES)
}

/// A model with its tables laid out for decoding.
pub(crate) struct Coder {
    model: Model,
    width: Width,
    /// The number of leading stages that use no earlier cell.
    fixed: usize,
    heads: Box<[FrequentSymbols; MAX_STATES]>,
    /// The fifth and later symbols of all distributions.
    others: Vec<SymbolShare>,
    /// The stages that use earlier cells.
    backs: Vec<BackStage>,
    /// The fan of the first of them.
    fan: u32,
}

impl SideData<'_> {
    /// Whether the input of a stage is available for each of `cells` cells.
    fn has(&self, look: StageInput, cells: usize) -> bool {
        match look {
            StageInput::Given => self.given.len() == cells,
            StageInput::Hint(byte) => self.hints.len() >= (usize::from(byte) + 1) * cells,
            StageInput::Back(_) => true,
        }
    }
}

/// The four most frequent symbols of a distribution, found without a branch.
#[derive(Clone, Copy)]
struct FrequentSymbols {
    /// The starts of the second, third and fourth; [`TOTAL`] if there is none.
    starts: [u16; 3],
    /// The index of the fifth symbol in [`Coder::others`].
    others: u16,
    shares: [SymbolShare; 4],
}

impl FrequentSymbols {
    fn of(distribution: &[SymbolShare], others: usize) -> Self {
        let share = |number| distribution.get(number).copied().unwrap_or_default();
        let start = |number| distribution.get(number).map_or(TOTAL as u16, |share: &SymbolShare| share.start);
        Self {
            starts: [start(1), start(2), start(3)],
            others: others as u16,
            shares: [share(0), share(1), share(2), share(3)],
        }
    }
}

impl Coder {
    /// The coder of a model whose inputs the stream has.
    pub(crate) fn new(model: Model, width: Width) -> Self {
        let fixed =
            model.stages.iter().take_while(|stage| !matches!(stage.look, StageInput::Back(_))).count();
        let mut heads = Box::new([FrequentSymbols::of(&[], 0); MAX_STATES]);
        let mut others = Vec::new();
        for (head, distribution) in heads.iter_mut().zip(&model.distributions) {
            *head = FrequentSymbols::of(distribution, others.len());
            others.extend(distribution.iter().skip(4));
        }
        let fan_of = |number: usize| model.stages.get(number).map_or(1, |stage| stage.fan as u32);
        let backs = (fixed..model.stages.len())
            .filter_map(|number| BackStage::of(&model.stages[number], fan_of(number + 1)))
            .collect();
        let fan = fan_of(fixed);
        Self { model, width, fixed, heads, others, backs, fan }
    }

    /// The coder of these bytes.
    ///
    /// * `given`, `hints`: whether the stream has them.
    pub(crate) fn load(bytes: &[u8], width: Width, given: bool, hints: bool) -> Result<Self, Malformed> {
        let model = Model::from_bytes(bytes, width)?;
        let coder = Self::new(model, width);
        for (number, stage) in coder.model.stages.iter().enumerate() {
            let sound = match stage.look {
                StageInput::Given => given && number < coder.fixed,
                StageInput::Hint(_) => hints && number < coder.fixed,
                StageInput::Back(_) => true,
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

    /// The states of all cells, lane by lane in turn, after the stages that use no earlier cell.
    fn fixed_states(&self, side: SideData<'_>, cells: usize) -> Vec<[u8; LANES]> {
        let mut states = vec![0; cells];
        for stage in &self.model.stages[..self.fixed] {
            let (known, width) = match stage.look {
                StageInput::Hint(byte) => {
                    (side.hints.get(byte.into()..).unwrap_or(&[]), side.hints.len() / cells)
                }
                _ => (side.given, 1),
            };
            for (state, &known) in states.iter_mut().zip(known.iter().step_by(width.max(1))) {
                *state = stage.next[usize::from(*state) * stage.fan + usize::from(known)];
            }
        }
        in_turns(&states)
    }

    /// The bytes of a packed block.
    pub(crate) fn encode(&self, cells: &[u8], side: SideData<'_>) -> Vec<u8> {
        let width = self.width.bytes();
        let count = cells.len() / width;
        let symbols = in_turns(&self.symbols(cells));
        let mut states = self.fixed_states(side, count);
        self.follow(&symbols, &mut states);
        let (states, mut bytes, escapes) = self.code(&symbols, &states, count, check_of(cells));
        bytes.extend(states.iter().rev().flat_map(|state| state.to_le_bytes()));
        bytes.reverse();
        // The first escaped cell is at the end, so that a decoder finds it without knowing their number.
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

    /// The symbol of a cell; the escape if it is not in the alphabet.
    fn symbol(&self, cell: u32) -> u8 {
        self.model.alphabet.binary_search(&cell).map_or(self.model.escape(), |symbol| symbol as u8)
    }

    /// Advances the states of all cells through the stages that use earlier cells.
    fn follow(&self, symbols: &[[u8; LANES]], states: &mut [[u8; LANES]]) {
        let outside = [self.model.outside(); LANES];
        for stage in &self.model.stages[self.fixed..] {
            let StageInput::Back(back) = stage.look else { continue };
            let earlier = std::iter::repeat_n(&outside, back.into()).chain(symbols);
            for (states, earlier) in states.iter_mut().zip(earlier) {
                for (state, &symbol) in states.iter_mut().zip(earlier) {
                    *state = stage.next[usize::from(*state) * stage.fan + usize::from(symbol)];
                }
            }
        }
    }

    /// The last states, the bytes in the order in which they were shifted out, and the slots of escaped cells in
    /// the order in which they were coded, which is that of decoding backwards.
    fn code(
        &self,
        symbols: &[[u8; LANES]],
        contexts: &[[u8; LANES]],
        cells: usize,
        check: u32,
    ) -> ([u32; STATES], Vec<u8>, Vec<usize>) {
        let mut bytes = Vec::new();
        let mut escapes = Vec::new();
        let mut states = [LOWEST; STATES];
        states[0] += check;
        let lane = lane_cells(cells);
        for turn in (0..lane).rev() {
            for number in (0..LANES).rev().filter(|number| number * lane + turn < cells) {
                let distribution = &self.model.distributions[usize::from(contexts[turn][number])];
                let symbol = symbols[turn][number];
                let known = distribution.iter().find(|share| share.symbol == symbol);
                let share = known.unwrap_or_else(|| self.escape_of(distribution));
                if share.symbol == self.model.escape() {
                    escapes.push(number * lane + turn);
                }
                let state = &mut states[number % STATES];
                let frequency = u32::from(share.frequency);
                if u64::from(*state) >= u64::from(LOWEST >> TOTAL_BITS << 16) * u64::from(frequency) {
                    bytes.extend_from_slice(&(*state as u16).to_le_bytes());
                    *state >>= 16;
                }
                *state = ((*state / frequency) << TOTAL_BITS) + *state % frequency + u32::from(share.start);
            }
        }
        (states, bytes, escapes)
    }

    /// Every trained distribution has an escape; one without it could code only its own symbols.
    fn escape_of<'a>(&self, distribution: &'a [SymbolShare]) -> &'a SymbolShare {
        let escape = distribution.iter().find(|share| share.symbol == self.model.escape());
        escape.unwrap_or(&distribution[0])
    }

    /// Fills `out` with the cells of a block.
    pub(crate) fn decode(&self, packed: &[u8], side: SideData<'_>, out: &mut [u8]) -> Result<(), Malformed> {
        match self.backs.as_slice() {
            [] => self.decode_with::<0>([], packed, side, out),
            [a] => self.decode_with([a], packed, side, out),
            [a, b] => self.decode_with([a, b], packed, side, out),
            [a, b, c] => self.decode_with([a, b, c], packed, side, out),
            [a, b, c, d] => self.decode_with([a, b, c, d], packed, side, out),
            [a, b, c, d, e] => self.decode_with([a, b, c, d, e], packed, side, out),
            _ => Err(Malformed("a model that looks back too often")),
        }
    }

    fn decode_with<const BACKS: usize>(
        &self,
        backs: [&BackStage; BACKS],
        packed: &[u8],
        side: SideData<'_>,
        out: &mut [u8],
    ) -> Result<(), Malformed> {
        let width = self.width.bytes();
        let count = out.len() / width;
        if self.model.stages.iter().any(|stage| !side.has(stage.look, count)) {
            return Err(Malformed("a model that looks at more than is known"));
        }
        let lane = lane_cells(count);
        let fixed = self.fixed_states(side, count);
        // Four symbols in a word: loading a word that was just stored byte by byte would stall.
        let mut symbols = vec![u32::from_le_bytes([self.model.outside(); LANES]); MAX_BACK + lane];
        let mut input = BlockInput::new(packed)?;
        let mut escapes = Vec::new();
        let full = count.saturating_sub((LANES - 1) * lane);
        for (turn, fixed) in fixed.iter().enumerate() {
            let Some((earlier, [here, ..])) = symbols[turn..].split_first_chunk_mut::<MAX_BACK>() else {
                break;
            };
            let mut contexts = fixed.map(|state| u32::from(state) * self.fan);
            for back in backs {
                let symbols = earlier[back.place & (MAX_BACK - 1)].to_le_bytes();
                for (context, symbol) in contexts.iter_mut().zip(symbols) {
                    *context = back.next[(*context + u32::from(symbol)) as usize];
                }
            }
            let active =
                if turn < full { LANES } else { (0..LANES).filter(|n| n * lane + turn < count).count() };
            let mut taken = self.take_turn(contexts, active, &mut input);
            if taken[..active].contains(&self.model.escape()) {
                for (number, symbol) in taken[..active].iter_mut().enumerate() {
                    if *symbol != self.model.escape() {
                        continue;
                    }
                    let cell = input.escaped(width)?;
                    // Later cells look back at its value, not at its code.
                    *symbol = self.symbol(self.width.get(cell));
                    escapes.push((number * lane + turn, cell));
                }
            }
            *here = u32::from_le_bytes(taken);
        }
        self.put_cells(&symbols[MAX_BACK..], out);
        for (slot, cell) in escapes {
            out[slot * width..][..width].copy_from_slice(cell);
        }
        input.finish(check_of(out))
    }

    /// The next symbol of the first `active` lanes.
    #[inline(always)]
    fn take_turn(&self, contexts: [u32; LANES], active: usize, input: &mut BlockInput<'_>) -> [u8; LANES] {
        if active == LANES {
            return [
                self.take::<0>(contexts[0], input),
                self.take::<1>(contexts[1], input),
                self.take::<0>(contexts[2], input),
                self.take::<1>(contexts[3], input),
            ];
        }
        let mut taken = [0; LANES];
        for (number, (taken, context)) in taken.iter_mut().zip(contexts).take(active).enumerate() {
            *taken =
                if number % 2 == 0 { self.take::<0>(context, input) } else { self.take::<1>(context, input) };
        }
        taken
    }

    /// Decodes a symbol.
    #[inline(always)]
    fn take<const STATE: usize>(&self, context: u32, input: &mut BlockInput<'_>) -> u8 {
        let head = &self.heads[context as usize % MAX_STATES];
        let number = input.states[STATE] % TOTAL;
        let place: usize = head.starts.iter().map(|&start| usize::from(number >= u32::from(start))).sum();
        let mut share = head.shares[place % 4];
        if number >= u32::from(share.start) + u32::from(share.frequency) {
            share = self.rare(head, number);
        }
        input.advance::<STATE>(share);
        share.symbol
    }

    /// The owner of a number that belongs to none of the four most frequent symbols.
    #[cold]
    fn rare(&self, head: &FrequentSymbols, number: u32) -> SymbolShare {
        let others = &self.others[usize::from(head.others)..];
        let owns = |share: &&SymbolShare| number < u32::from(share.start) + u32::from(share.frequency);
        others.iter().find(owns).copied().unwrap_or_default()
    }

    fn put_cells(&self, symbols: &[u32], out: &mut [u8]) {
        let mut table = [0u32; 256];
        table[..self.model.alphabet.len()].copy_from_slice(&self.model.alphabet);
        for (number, lane) in out.chunks_mut(symbols.len() * self.width.bytes()).enumerate() {
            let symbols = symbols.iter().map(|turn| usize::from(turn.to_le_bytes()[number]));
            if self.width == Width::One {
                for (cell, symbol) in lane.iter_mut().zip(symbols) {
                    *cell = table[symbol] as u8;
                }
            } else {
                for (cell, symbol) in lane.chunks_exact_mut(self.width.bytes()).zip(symbols) {
                    self.width.put(table[symbol], cell);
                }
            }
        }
    }
}

/// Bytes of cells in the order in which they are decoded: the first of each lane, then the second of each.
///
/// Shorter lanes are padded with a 0 that is never read.
fn in_turns(bytes: &[u8]) -> Vec<[u8; LANES]> {
    let lane = lane_cells(bytes.len());
    let mut turns = vec![[0; LANES]; lane];
    for (number, bytes) in bytes.chunks(lane).enumerate() {
        for (turn, &byte) in turns.iter_mut().zip(bytes) {
            turn[number] = byte;
        }
    }
    turns
}

/// A stage that uses an earlier cell, laid out for decoding.
struct BackStage {
    /// The index of that cell among the [`MAX_BACK`] before.
    place: usize,
    /// The next state for state + symbol; states are those of the stages times the fan of the stage that is next.
    next: Vec<u32>,
}

impl BackStage {
    fn of(stage: &ModelStage, next_fan: u32) -> Option<Self> {
        match stage.look {
            StageInput::Back(distance) => Some(Self {
                place: MAX_BACK - usize::from(distance),
                next: stage.next.iter().map(|&state| u32::from(state) * next_fan).collect(),
            }),
            StageInput::Given | StageInput::Hint(_) => None,
        }
    }
}

/// The bytes of a block during decoding: coded from the front, escaped cells from the back.
struct BlockInput<'a> {
    bytes: &'a [u8],
    next: usize,
    end: usize,
    states: [u32; STATES],
}

impl<'a> BlockInput<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let (first, rest) = bytes.split_first_chunk::<4>().ok_or(Malformed("a block without states"))?;
        let second = rest.first_chunk::<4>().ok_or(Malformed("a block without states"))?;
        let states = [u32::from_be_bytes(*first), u32::from_be_bytes(*second)];
        Ok(Self { bytes, next: STATES_BYTES, end: bytes.len(), states })
    }

    /// Takes a symbol out of a state.
    ///
    /// Past the end it reads zeros, which [`finish`](Self::finish) notices.
    #[inline(always)]
    fn advance<const STATE: usize>(&mut self, share: SymbolShare) {
        let rest = (self.states[STATE] % TOTAL).wrapping_sub(share.start.into());
        let state = (u32::from(share.frequency) * (self.states[STATE] >> TOTAL_BITS)).wrapping_add(rest);
        let low = self
            .bytes
            .get(self.next..)
            .and_then(<[u8]>::first_chunk)
            .map_or(0, |&two| u16::from_be_bytes(two));
        let short = state < LOWEST;
        self.states[STATE] = if short { state << 16 | u32::from(low) } else { state };
        self.next += if short { 2 } else { 0 };
    }

    fn escaped(&mut self, width: usize) -> Result<&'a [u8], Malformed> {
        let start = self.end.checked_sub(width).ok_or(Malformed("a block with more escapes than bytes"))?;
        let cell = &self.bytes[start..self.end];
        self.end = start;
        Ok(cell)
    }

    fn finish(self, check: u32) -> Result<(), Malformed> {
        if self.next == self.end && self.states == [LOWEST + check, LOWEST] {
            return Ok(());
        }
        Err(Malformed("cells that do not pass their check: wrong hints, or a wrong model"))
    }
}

/// Sixteen bits of the crc32 of the cells.
fn check_of(cells: &[u8]) -> u32 {
    crc32fast::hash(cells) & 0xffff
}
