//! Fitting a network to samples: mini-batches, Adam, random symmetric images of the board.

use marquis_core::Player;
use marquis_eval::{FINE_ONE, FINE_OUTPUT_ONE, Features, Fine, Network, NetworkWeights, Outputs, WIDTH};
use pulp::{Arch, NullaryFnOnce};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::samples::Samples;

/// Positions per step.
const BATCH: usize = 1024;
const FIRST_RATE: f32 = 2e-3;
const LAST_RATE: f32 = 5e-5;
const DECAYS: [f32; 2] = [0.9, 0.999];
const TINY: f32 = 1e-8;

type WeightLanes = [f32; WIDTH];

/// The layer above the sums, for one phase.
#[derive(Clone, Debug)]
struct FittedLayer {
    weights: [WeightLanes; 2],
    bias: f32,
}

impl FittedLayer {
    const ZERO: Self = Self { weights: [[0.0; WIDTH]; 2], bias: 0.0 };
}

/// The weights that are being fitted, or a value for each of them.
#[derive(Clone, Debug)]
struct FittedNumbers {
    bias: WeightLanes,
    rows: Vec<WeightLanes>,
    layers: Vec<FittedLayer>,
}

impl FittedNumbers {
    fn zero(rows: usize, phases: usize) -> Self {
        Self { bias: [0.0; WIDTH], rows: vec![[0.0; WIDTH]; rows], layers: vec![FittedLayer::ZERO; phases] }
    }
}

/// A network that is being fitted.
pub struct Pupil {
    features: Features,
    arch: Arch,
    numbers: FittedNumbers,
    slopes: FittedNumbers,
    means: FittedNumbers,
    squares: FittedNumbers,
    /// Rows whose slopes are not zero, without duplicates.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    steps: i32,
}

/// The training schedule.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The number of passes over the samples.
    pub epochs: usize,
    /// The seed of the order and the images.
    pub seed: u64,
    /// The relative learning rate: 1 for a new network, less for a trained one.
    pub speed: f32,
}

/// The inputs of one sample.
struct SampleInputs {
    /// From the mover's view, then from the opponent's.
    rows: [Vec<u32>; 2],
}

impl Pupil {
    /// An untrained network; the same for the same seed.
    #[must_use]
    pub fn new(features: Features, seed: u64) -> Self {
        let (rows, phases) = (features.rows(), features.shape().phases());
        let mut random = SmallRng::seed_from_u64(seed);
        let mut numbers = FittedNumbers::zero(rows, phases);
        let mut draw = |around: f32, spread: f32| around + spread * random.random_range(-1.0_f32..1.0);
        numbers.bias.fill_with(|| draw(0.4, 0.2));
        // Rows of single slots start at random, all others at zero: inputs that never occur must not matter.
        let firsts: Vec<usize> = features.firsts().map(|row| row as usize).chain([rows]).collect();
        for (pattern, range) in features.shape().patterns.iter().zip(firsts.windows(2)) {
            if pattern.len() == 1 {
                numbers.rows[range[0]..range[1]].iter_mut().for_each(|row| row.fill_with(|| draw(0.0, 0.1)));
            }
        }
        let output: WeightLanes = std::array::from_fn(|_| draw(0.0, 0.5));
        for layer in &mut numbers.layers {
            layer.weights = [output, output.map(|weight| -weight)];
        }
        Self {
            arch: Arch::new(),
            slopes: FittedNumbers::zero(rows, phases),
            means: FittedNumbers::zero(rows, phases),
            squares: FittedNumbers::zero(rows, phases),
            touched: Vec::new(),
            is_touched: vec![false; rows],
            steps: 0,
            numbers,
            features,
        }
    }

    /// Trains on all samples repeatedly, in a random order and as random images of the board.
    ///
    /// * `report`: receives the number of each finished epoch and the mean loss.
    /// * Result: whether it finished; `goes_on` is polled now and then.
    pub fn learn(
        &mut self,
        samples: &Samples,
        &Schedule { epochs, seed, speed }: &Schedule,
        goes_on: &dyn Fn() -> bool,
        report: &mut dyn FnMut(usize, f64),
    ) -> bool {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..samples.len()).collect();
        let steps = (epochs * samples.len().div_ceil(BATCH)) as f32;
        let mut step = 0.0;
        for epoch in 0..epochs {
            order.shuffle(&mut random);
            let mut loss = 0.0;
            for batch in order.chunks(BATCH) {
                if !goes_on() {
                    return false;
                }
                for &number in batch {
                    loss += f64::from(self.look_at(samples, number, &mut random, 1.0 / batch.len() as f32));
                }
                let left = 0.5 + 0.5 * (std::f32::consts::PI * step / steps).cos();
                self.step(speed * (LAST_RATE + (FIRST_RATE - LAST_RATE) * left));
                step += 1.0;
            }
            report(epoch, loss / samples.len() as f64);
        }
        true
    }

    /// The mean loss over samples, without training.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f64 {
        let one = |number| {
            let (digits, turn) = samples.position(number);
            let seen = self.see(&digits, turn);
            let (output, _) = self.forward(&seen, self.phase(&digits));
            f64::from(loss(output, samples.target(number)))
        };
        (0..samples.len()).map(one).sum::<f64>() / samples.len().max(1) as f64
    }

    fn phase(&self, digits: &[u8]) -> usize {
        usize::from(digits[usize::from(self.features.shape().phase)])
    }

    fn see(&self, digits: &marquis_eval::Digits, turn: Player) -> SampleInputs {
        let first: Vec<u32> = self.features.active(digits).collect();
        let second = first.iter().map(|&row| self.features.other(row)).collect();
        match turn {
            Player::First => SampleInputs { rows: [first, second] },
            Player::Second => SampleInputs { rows: [second, first] },
        }
    }

    /// The output, and the sums of both views.
    fn forward(&self, seen: &SampleInputs, phase: usize) -> (f32, [WeightLanes; 2]) {
        self.arch.dispatch(Forward { numbers: &self.numbers, phase, seen })
    }

    /// Adds the slopes of one sample; returns its loss.
    fn look_at(&mut self, samples: &Samples, number: usize, random: &mut SmallRng, share: f32) -> f32 {
        let (digits, turn) = samples.position(number);
        let image = random.random_range(0..self.features.shape().images.len());
        let digits = self.features.shape().image(image, &digits);
        let phase = self.phase(&digits);
        let seen = self.see(&digits, turn);
        let (output, sums) = self.forward(&seen, phase);
        let target = samples.target(number);
        let slope = (1.0 / (1.0 + (-output).exp()) - target) * share;
        for &row in seen.rows.iter().flatten() {
            if !std::mem::replace(&mut self.is_touched[row as usize], true) {
                self.touched.push(row);
            }
        }
        let Self { arch, numbers, slopes, .. } = self;
        arch.dispatch(Backward {
            layer: &numbers.layers[phase],
            slopes,
            phase,
            seen: &seen,
            sums: &sums,
            slope,
        });
        loss(output, target)
    }

    /// One step of Adam, only for rows that occurred.
    fn step(&mut self, rate: f32) {
        self.steps += 1;
        let unbias = DECAYS.map(|decay| 1.0 - decay.powi(self.steps));
        let rate = rate * unbias[1].sqrt() / unbias[0];
        self.arch.dispatch(AdamStep { rate, pupil: self });
        self.touched.clear();
    }

    /// The network, quantized to integers.
    ///
    /// Weights that would not fit are clipped; this has not been observed.
    #[must_use]
    pub fn network(&self) -> Network {
        let mut most = 4.0_f32;
        loop {
            let weights = self.whole(most, [255.0, 64.0, 100.0]);
            if let Some(network) = Network::new(self.features.clone(), weights) {
                return network;
            }
            most *= 0.9;
        }
    }

    /// The network, quantized in finer steps.
    #[must_use]
    pub fn fine(&self) -> Fine {
        let one = FINE_OUTPUT_ONE as f32;
        Fine::new(self.features.clone(), self.whole(7.9, [FINE_ONE as f32, one, one]))
    }

    /// The weights as integers, clipped to `most`.
    ///
    /// * `ones`: the scale of rows, outputs, and biases of outputs.
    fn whole(&self, most: f32, ones: [f32; 3]) -> NetworkWeights {
        let whole = |weight: f32, one: f32| (weight.clamp(-most, most) * one).round() as i16;
        let layer = |layer: &FittedLayer| Outputs {
            weights: layer.weights.map(|view| view.map(|weight| whole(weight, ones[1]))),
            bias: (layer.bias.clamp(-most, most) * ones[2]).round() as i32,
        };
        NetworkWeights {
            bias: self.numbers.bias.map(|weight| whole(weight, ones[0])),
            rows: self.numbers.rows.iter().map(|row| row.map(|weight| whole(weight, ones[0]))).collect(),
            outputs: self.numbers.layers.iter().map(layer).collect(),
        }
    }
}

/// The output and the sums of one sample. Like the other passes a type: the compiler would call a closure of this size
/// instead of compiling it for the processor at hand.
struct Forward<'a> {
    numbers: &'a FittedNumbers,
    phase: usize,
    seen: &'a SampleInputs,
}

impl NullaryFnOnce for Forward<'_> {
    type Output = (f32, [WeightLanes; 2]);

    #[inline(always)]
    fn call(self) -> (f32, [WeightLanes; 2]) {
        let Self { numbers, phase, seen } = self;
        let layer = &numbers.layers[phase];
        let mut output = layer.bias;
        let mut sums = [numbers.bias; 2];
        for ((sum, rows), weights) in sums.iter_mut().zip(&seen.rows).zip(&layer.weights) {
            for &row in rows {
                for (sum, weight) in sum.iter_mut().zip(&numbers.rows[row as usize]) {
                    *sum += weight;
                }
            }
            for (sum, weight) in sum.iter().zip(weights) {
                let clipped = sum.clamp(0.0, 1.0);
                output += clipped * clipped * weight;
            }
        }
        (output, sums)
    }
}

/// Adds the slopes of one sample.
struct Backward<'a> {
    layer: &'a FittedLayer,
    slopes: &'a mut FittedNumbers,
    phase: usize,
    seen: &'a SampleInputs,
    sums: &'a [WeightLanes; 2],
    /// The slope of the output.
    slope: f32,
}

impl NullaryFnOnce for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { layer, slopes, phase, seen, sums, slope } = self;
        let above = &mut slopes.layers[phase];
        above.bias += slope;
        for (view, (sums, rows)) in sums.iter().zip(&seen.rows).enumerate() {
            let mut down = [0.0; WIDTH];
            for (lane, &sum) in sums.iter().enumerate() {
                let clipped = sum.clamp(0.0, 1.0);
                above.weights[view][lane] += slope * clipped * clipped;
                let inside = if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 };
                down[lane] = slope * layer.weights[view][lane] * inside;
                slopes.bias[lane] += down[lane];
            }
            for &row in rows {
                for (slope, down) in slopes.rows[row as usize].iter_mut().zip(&down) {
                    *slope += down;
                }
            }
        }
    }
}

/// A step of Adam for the rows that were touched and all other weights.
struct AdamStep<'a> {
    rate: f32,
    pupil: &'a mut Pupil,
}

impl NullaryFnOnce for AdamStep<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rate, pupil: Pupil { numbers, slopes, means, squares, touched, is_touched, .. } } = self;
        for &row in &*touched {
            let row = row as usize;
            is_touched[row] = false;
            adam(
                rate,
                &mut numbers.rows[row],
                &mut slopes.rows[row],
                &mut means.rows[row],
                &mut squares.rows[row],
            );
        }
        adam(rate, &mut numbers.bias, &mut slopes.bias, &mut means.bias, &mut squares.bias);
        for phase in 0..numbers.layers.len() {
            let (layer, slope) = (&mut numbers.layers[phase], &mut slopes.layers[phase]);
            let (mean, square) = (&mut means.layers[phase], &mut squares.layers[phase]);
            for view in 0..2 {
                adam(
                    rate,
                    &mut layer.weights[view],
                    &mut slope.weights[view],
                    &mut mean.weights[view],
                    &mut square.weights[view],
                );
            }
            let one = std::slice::from_mut::<f32>;
            adam(
                rate,
                one(&mut layer.bias),
                one(&mut slope.bias),
                one(&mut mean.bias),
                one(&mut square.bias),
            );
        }
    }
}

#[inline(always)]
fn adam(rate: f32, numbers: &mut [f32], slopes: &mut [f32], means: &mut [f32], squares: &mut [f32]) {
    for (((number, slope), mean), square) in numbers.iter_mut().zip(slopes).zip(means).zip(squares) {
        *mean += (1.0 - DECAYS[0]) * (*slope - *mean);
        *square += (1.0 - DECAYS[1]) * (*slope * *slope - *square);
        *number -= rate * *mean / (square.sqrt() + TINY);
        *slope = 0.0;
    }
}

/// The cross-entropy between an output, in log-odds, and an expected result.
#[must_use]
pub fn loss(output: f32, target: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    let softplus = output.max(0.0) + (-output.abs()).exp().ln_1p();
    softplus - target * output
}
