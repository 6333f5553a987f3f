//! Training of a model on blocks of a stream.
//!
//! Stages are added one by one, each time the one that saves most. Its states are merged as long as the bytes saved
//! by the smaller model outweigh the cost of its worse predictions. All of it is sequential or summed in a fixed
//! order, so that the model does not depend on the number of threads.

use std::collections::HashMap;

use rayon::prelude::*;

use super::cluster::{Histogram, cluster, code_length};
use super::model::{Distribution, MAX_ALPHABET, Model, ModelStage, StageInput, SymbolShare, TOTAL};
use super::modelled::lane_cells;
use super::{BlockSamples, Sample};

/// Distances at which a stage may look back: short ones, and the lengths of runs in the order of subsets.
const DISTANCES: [u8; 26] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 21, 24, 28, 35, 36, 45, 55, 66, 84];
/// The largest width of a hint.
const MAX_HINT_BYTES: u8 = 4;
/// The largest number of stages that look back.
const MAX_BACKS: usize = 5;
/// Bits of a row of a stage in the compressed model, by experience.
const ROW_BITS: f64 = 6.0;
/// Bits of a symbol of a distribution.
const SHARE_BITS: f64 = 14.0;
/// The largest number of combinations that a candidate counts.
const MAX_COUNTERS: usize = 1 << 24;

/// The model that codes the samples in the fewest bits, including the model.
///
/// * `cells`: the number of cells of the whole stream, against which the size of the model is weighed.
pub(super) fn train(samples: &BlockSamples, cells: u64) -> Model {
    let alphabet = alphabet(samples);
    let corpus = Corpus::new(samples, &alphabet, cells);
    let mut cascade = Cascade::new(&corpus);
    if corpus.has(StageInput::Given) {
        cascade.try_best(&corpus, &[StageInput::Given]);
    }
    let mut hints: Vec<StageInput> =
        (0..MAX_HINT_BYTES).map(StageInput::Hint).filter(|&look| corpus.has(look)).collect();
    while let Some(used) = cascade.try_best(&corpus, &hints) {
        hints.retain(|&look| look != used);
    }
    let mut distances: Vec<StageInput> =
        DISTANCES.iter().map(|&distance| StageInput::Back(distance)).collect();
    for _ in 0..MAX_BACKS {
        let Some(used) = cascade.try_best(&corpus, &distances) else { break };
        distances.retain(|&look| look != used);
    }
    cascade.finish(&corpus, alphabet)
}

/// The cells that occur, or the most frequent ones if there are too many, in rising order.
fn alphabet(samples: &BlockSamples) -> Vec<u32> {
    let mut counts: HashMap<u32, u64> = HashMap::new();
    for sample in &samples.blocks {
        for cell in sample.cells.chunks_exact(samples.width.bytes()) {
            *counts.entry(samples.width.get(cell)).or_default() += 1;
        }
    }
    let mut cells: Vec<(u64, u32)> = counts.into_iter().map(|(cell, count)| (count, cell)).collect();
    cells.sort_unstable_by(|a, b| b.cmp(a));
    let mut alphabet: Vec<u32> = cells.into_iter().take(MAX_ALPHABET).map(|(_, cell)| cell).collect();
    alphabet.sort_unstable();
    alphabet
}

/// The samples as symbols, with the inputs of the stages.
struct Corpus<'a> {
    samples: &'a [Sample],
    symbols: Vec<u8>,
    bytes: usize,
    /// Symbols with escape and outside.
    kinds: usize,
    /// The number of cells of the stream that a cell of the samples represents.
    scale: f64,
}

impl<'a> Corpus<'a> {
    fn new(samples: &'a BlockSamples, alphabet: &[u32], cells: u64) -> Self {
        let bytes = samples.width.bytes();
        let numbers: HashMap<u32, u8> =
            alphabet.iter().zip(0u8..).map(|(&cell, number)| (cell, number)).collect();
        let escape = alphabet.len() as u8;
        let all = samples.blocks.iter().flat_map(|sample| sample.cells.chunks_exact(bytes));
        let symbols: Vec<u8> =
            all.map(|cell| numbers.get(&samples.width.get(cell)).copied().unwrap_or(escape)).collect();
        let scale = cells as f64 / symbols.len().max(1) as f64;
        Self { samples: &samples.blocks, symbols, bytes, kinds: alphabet.len() + 2, scale: scale.max(1.0) }
    }

    fn has(&self, look: StageInput) -> bool {
        match look {
            StageInput::Given => {
                self.samples.iter().all(|sample| sample.given.len() * self.bytes == sample.cells.len())
            }
            StageInput::Hint(byte) => {
                self.samples.iter().all(|sample| usize::from(byte) < self.hint_bytes(sample))
            }
            StageInput::Back(_) => true,
        }
    }

    fn hint_bytes(&self, sample: &Sample) -> usize {
        sample.hints.len() * self.bytes / sample.cells.len().max(1)
    }

    fn fan(&self, look: StageInput) -> usize {
        match look {
            StageInput::Given | StageInput::Hint(_) => 256,
            StageInput::Back(_) => self.kinds,
        }
    }

    /// The input of a stage at every cell.
    fn column(&self, look: StageInput) -> Vec<u8> {
        match look {
            StageInput::Given => {
                self.samples.iter().flat_map(|sample| sample.given.iter().copied()).collect()
            }
            StageInput::Hint(byte) => {
                let of = |sample: &'a Sample| {
                    sample.hints.iter().skip(byte.into()).step_by(self.hint_bytes(sample)).copied()
                };
                self.samples.iter().flat_map(of).collect()
            }
            StageInput::Back(distance) => self.earlier(distance.into()),
        }
    }

    fn earlier(&self, distance: usize) -> Vec<u8> {
        let outside = (self.kinds - 1) as u8;
        let mut column = Vec::with_capacity(self.symbols.len());
        let mut start = 0;
        for sample in self.samples {
            let cells = sample.cells.len() / self.bytes;
            let block = &self.symbols[start..start + cells];
            for lane in block.chunks(lane_cells(cells)) {
                let before = distance.min(lane.len());
                column.extend(std::iter::repeat_n(outside, before));
                column.extend_from_slice(&lane[..lane.len() - before]);
            }
            start += cells;
        }
        column
    }
}

/// The stages so far, and the resulting state of every cell.
struct Cascade {
    stages: Vec<ModelStage>,
    states: Vec<u8>,
    state_count: usize,
    bits: f64,
}

/// The symbol counts of each combination of a state and an input byte of a stage.
struct Combinations {
    /// For each state and byte that occur together: the state, the byte, the symbol counts.
    seen: Vec<(u8, u8, Histogram)>,
}

impl Cascade {
    fn new(corpus: &Corpus<'_>) -> Self {
        let states = vec![0; corpus.symbols.len()];
        let mut cascade = Self { stages: Vec::new(), states, state_count: 1, bits: 0.0 };
        cascade.bits = cascade.histograms(corpus).iter().map(|all| bits_of(all, corpus.scale)).sum();
        cascade
    }

    /// Adds the stage that saves most and returns its input, or `None` if no stage saves anything.
    fn try_best(&mut self, corpus: &Corpus<'_>, looks: &[StageInput]) -> Option<StageInput> {
        let costs: Vec<f64> = looks
            .par_iter()
            .map(|&look| {
                let combinations = self.combine(corpus, look, &corpus.column(look));
                combinations.map_or(f64::INFINITY, |found| found.bits(corpus.scale))
            })
            .collect();
        let best = (0..looks.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]))?;
        if costs[best] >= self.bits {
            return None;
        }
        self.add(corpus, looks[best]);
        Some(looks[best])
    }

    fn add(&mut self, corpus: &Corpus<'_>, look: StageInput) {
        let column = corpus.column(look);
        let Some(combinations) = self.combine(corpus, look, &column) else { return };
        let histograms: Vec<&Histogram> =
            combinations.seen.iter().map(|(_, _, histogram)| histogram).collect();
        let clusters = cluster(&histograms, corpus.scale, SHARE_BITS);
        let fan = corpus.fan(look);
        let mut next = vec![None; self.state_count * fan];
        for (&(state, byte, _), &cluster) in combinations.seen.iter().zip(&clusters) {
            next[usize::from(state) * fan + usize::from(byte)] = Some(cluster);
        }
        let next = self.fill_unseen(&combinations, &clusters, next, fan);
        for (state, &byte) in self.states.iter_mut().zip(&column) {
            *state = next[usize::from(*state) * fan + usize::from(byte)];
        }
        self.state_count = clusters.iter().copied().max().map_or(1, |most| usize::from(most) + 1);
        self.stages.push(ModelStage { look, next, fan });
        let rows = combinations.seen.len() as f64 * ROW_BITS;
        let spent: f64 = self.histograms(corpus).iter().map(|all| bits_of(all, corpus.scale)).sum();
        self.bits = rows + spent;
    }

    /// Sends a combination that did not occur to the state that most cells of its state reach.
    fn fill_unseen(
        &self,
        combinations: &Combinations,
        clusters: &[u8],
        next: Vec<Option<u8>>,
        fan: usize,
    ) -> Vec<u8> {
        let mut usual = vec![(0, 0); self.state_count];
        for ((state, _, histogram), &cluster) in combinations.seen.iter().zip(clusters) {
            let usual = &mut usual[usize::from(*state)];
            if histogram.total() > usual.0 {
                *usual = (histogram.total(), cluster);
            }
        }
        next.into_iter().enumerate().map(|(row, next)| next.unwrap_or(usual[row / fan].1)).collect()
    }

    /// `None` if there are too many combinations to count.
    fn combine(&self, corpus: &Corpus<'_>, look: StageInput, column: &[u8]) -> Option<Combinations> {
        let mut numbers = [usize::MAX; 256];
        let mut bytes = Vec::new();
        for &byte in column {
            let number = &mut numbers[usize::from(byte)];
            if *number == usize::MAX {
                *number = bytes.len();
                bytes.push(byte);
            }
        }
        let counters = self.state_count * bytes.len() * corpus.kinds;
        if counters > MAX_COUNTERS || bytes.iter().any(|&byte| usize::from(byte) >= corpus.fan(look)) {
            return None;
        }
        let mut counts = vec![0u32; counters];
        for ((&state, &byte), &symbol) in self.states.iter().zip(column).zip(&corpus.symbols) {
            let row = usize::from(state) * bytes.len() + numbers[usize::from(byte)];
            counts[row * corpus.kinds + usize::from(symbol)] += 1;
        }
        let rows = counts.chunks_exact(corpus.kinds).enumerate();
        let seen = rows.filter_map(|(row, counts)| {
            let histogram = Histogram::of(counts);
            let (state, byte) = ((row / bytes.len()) as u8, bytes[row % bytes.len()]);
            (histogram.total() > 0).then_some((state, byte, histogram))
        });
        Some(Combinations { seen: seen.collect() })
    }

    fn histograms(&self, corpus: &Corpus<'_>) -> Vec<Histogram> {
        let mut counts = vec![0; self.state_count * corpus.kinds];
        for (&state, &symbol) in self.states.iter().zip(&corpus.symbols) {
            counts[usize::from(state) * corpus.kinds + usize::from(symbol)] += 1;
        }
        counts.chunks_exact(corpus.kinds).map(Histogram::of).collect()
    }

    fn finish(self, corpus: &Corpus<'_>, alphabet: Vec<u32>) -> Model {
        let escape = alphabet.len() as u8;
        let distributions =
            self.histograms(corpus).iter().map(|counts| distribution(counts, escape)).collect();
        Model { alphabet, stages: self.stages, distributions }
    }
}

impl Combinations {
    /// The cost in bits of coding by these combinations, the stage included.
    ///
    /// They are not merged yet, so each distribution is charged by the amount of its data instead.
    fn bits(&self, scale: f64) -> f64 {
        let all = self.seen.iter().map(|(_, _, histogram)| {
            let kinds = histogram.kinds() as f64 - 1.0;
            code_length(histogram) * scale + ROW_BITS + 0.5 * kinds * f64::from(histogram.total() + 1).log2()
        });
        all.sum()
    }
}

fn bits_of(histogram: &Histogram, scale: f64) -> f64 {
    code_length(histogram) * scale + SHARE_BITS * histogram.kinds() as f64
}

/// Frequencies proportional to the counts, each at least 1, including the escape; they add up to [`TOTAL`].
fn distribution(histogram: &Histogram, escape: u8) -> Distribution {
    let mut counts: Vec<(u8, u32)> = histogram.iter().collect();
    if counts.iter().all(|&(symbol, _)| symbol != escape) {
        counts.push((escape, 0));
    }
    let total = f64::from(histogram.total().max(1));
    let room = f64::from(TOTAL) - counts.len() as f64;
    let mut shares: Vec<(u32, u8)> = counts
        .iter()
        .map(|&(symbol, count)| (1 + (f64::from(count) / total * room) as u32, symbol))
        .collect();
    shares.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    // The remainder of rounding down goes to the most frequent symbol.
    let rest = TOTAL - shares.iter().map(|(frequency, _)| frequency).sum::<u32>();
    shares[0].0 += rest;
    let mut end = 0;
    let share = |(frequency, symbol): (u32, u8)| {
        let start = end as u16;
        end += frequency;
        SymbolShare { start, frequency: frequency as u16, symbol }
    };
    shares.into_iter().map(share).collect()
}
