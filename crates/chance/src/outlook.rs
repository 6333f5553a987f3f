//! The limit of an iteration, estimated from the changes of its last steps.
//!
//! Far from its end an iteration for a game is nearly linear: a change `f` becomes `T f` with the next step, with one
//! `T` for all of them, and the remaining change is `T (1 − T)⁻¹ f`. Few modes of `T` are slow, and after some steps
//! the changes hardly leave the space of those few. So `T` is computed in the space of the last changes, from a
//! sample of the numbers.
//!
//! Minimizing the residual of a change instead, as mixtures do (Anderson, 1965), fails: a mode close to 1 hardly
//! changes the residual, however much of it remains.
//!
//! Source: Schmid, "Dynamic mode decomposition of numerical and experimental data", 2010, for `T`; Sidi,
//! "Extrapolation vs. projection methods for linear systems of equations", 1988, for the remaining change.

use nalgebra::{DMatrix, DVector, Schur, SymmetricEigen};

/// The most steps that are used.
pub const WINDOW: usize = 12;
/// The least number of changes.
const FEWEST: usize = 6;
/// Directions in which changes are at most this multiple of the rounding error count as noise.
const NOISE: f64 = 1.0;
/// So do those in which they are smaller than this, relative to the greatest one.
const LEAST: f64 = 1e-6;
/// The most steps to find the modes of small matrices.
const PATIENCE: usize = 1000;

/// A forecast of an iteration from its last steps.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The factor of the slowest mode in a step; 1 or more if the changes show no end yet.
    pub rate: f64,
    /// The factors of the modes that do not oscillate, the slowest first.
    pub straight: Vec<f64>,
    /// The remaining change of each number of the sample.
    pub left: Vec<f64>,
}

impl Outlook {
    /// The forecast for an iteration from its last steps; `None` if they are too few, or if no number changes.
    ///
    /// * `samples`: the same numbers after each of these steps, the last one last, in the units to which they are
    ///   rounded.
    ///
    /// Panics if the samples differ in length.
    #[must_use]
    pub fn of(samples: &[Vec<f64>]) -> Option<Self> {
        let samples = &samples[samples.len().saturating_sub(WINDOW + 1)..];
        if samples.len() <= FEWEST {
            return None;
        }
        let changes: Vec<DVector<f64>> = samples.windows(2).map(|pair| change(&pair[0], &pair[1])).collect();
        // Early changes are the greatest, but late ones matter most: all are scaled to one length.
        let scaled = |(change, by): (&DVector<f64>, &DVector<f64>)| {
            let length = by.norm();
            (length > 0.0).then(|| change / length)
        };
        let (before, after) = (&changes[..changes.len() - 1], &changes[1..]);
        let column = |pairs: Vec<Option<DVector<f64>>>| pairs.into_iter().collect::<Option<Vec<_>>>();
        let x = DMatrix::from_columns(&column(before.iter().zip(before).map(scaled).collect())?);
        let y = DMatrix::from_columns(&column(after.iter().zip(before).map(scaled).collect())?);
        let least = before.iter().map(DVector::norm).fold(f64::INFINITY, f64::min);
        let mixtures = directions(&x, NOISE * (x.nrows() as f64).sqrt() / least)?;
        let basis = &x * &mixtures;
        let step = basis.transpose() * &y * &mixtures;
        let modes = Schur::try_new(step.clone(), f64::EPSILON, PATIENCE)?.complex_eigenvalues();
        let rate = modes.iter().map(|mode| mode.norm()).fold(0.0, f64::max);
        let mut straight: Vec<f64> =
            modes.iter().filter(|mode| mode.im == 0.0 && mode.re > 0.0).map(|mode| mode.re).collect();
        straight.sort_by(|one, other| other.total_cmp(one));
        let now = &step * (basis.transpose() * changes.last()?);
        let rest = (DMatrix::identity(step.nrows(), step.ncols()) - &step).lu().solve(&now)?;
        Some(Self { rate, straight, left: (basis * rest).as_slice().to_vec() })
    }
}

/// Mixtures of changes, of length 1, one in each direction with more than noise.
fn directions(changes: &DMatrix<f64>, noise: f64) -> Option<DMatrix<f64>> {
    // From the products of all pairs of changes, which are few, because the changes are long.
    let SymmetricEigen { eigenvectors, eigenvalues } =
        SymmetricEigen::try_new(changes.transpose() * changes, f64::EPSILON, PATIENCE)?;
    let least = noise.max(LEAST * eigenvalues.max().sqrt());
    let lengths = eigenvalues.iter().map(|squared| squared.max(0.0).sqrt()).enumerate();
    let mixtures: Vec<DVector<f64>> = lengths
        .filter(|&(_, length)| length > least)
        .map(|(number, length)| eigenvectors.column(number) / length)
        .collect();
    (!mixtures.is_empty()).then(|| DMatrix::from_columns(&mixtures))
}

fn change(before: &[f64], after: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(after) - DVector::from_column_slice(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: usize = 200;
    const UNITS: f64 = 4e9;

    /// The state after a step of an iteration that converges to zero: a slow mode, others that oscillate, others that
    /// fade.
    fn after(step: i32) -> Vec<f64> {
        let share = |mode: usize, number: usize| {
            (((mode * NUMBERS + number) as f64 * 78.233).sin() * 43_758.545).fract()
        };
        let turn = f64::from(step) * 0.4;
        let modes = [
            0.02 * 0.992_f64.powi(step),
            0.3 * 0.85_f64.powi(step),
            0.6_f64.powi(step) * turn.cos(),
            0.6_f64.powi(step) * turn.sin(),
            0.5 * 0.4_f64.powi(step),
        ];
        (0..NUMBERS)
            .map(|number| {
                modes.iter().enumerate().map(|(mode, left)| left * share(mode, number)).sum::<f64>()
            })
            .map(|left| (left * UNITS).round())
            .collect()
    }

    fn length(numbers: impl IntoIterator<Item = f64>) -> f64 {
        numbers.into_iter().map(|number| number * number).sum::<f64>().sqrt()
    }

    #[test]
    fn what_is_left_is_known_long_before_the_other_modes_have_gone() {
        let samples: Vec<Vec<f64>> = (0..=14).map(after).collect();
        let outlook = Outlook::of(&samples).expect("enough changes");
        assert!((outlook.rate - 0.992).abs() < 1e-4, "{}", outlook.rate);
        let [slowest, next, last] = outlook.straight[..] else { panic!("{:?}", outlook.straight) };
        assert!(slowest == outlook.rate && (next - 0.85).abs() < 1e-3 && (last - 0.4).abs() < 0.1, "{last}");
        let off = length(outlook.left.iter().zip(&samples[14]).map(|(left, number)| left + number));
        assert!(off < 1e-3 * length(samples[14].clone()), "{off}");
        // The last change alone suggests a faster mode.
        let change = |step: usize| length(samples[step].iter().zip(&samples[step - 1]).map(|(a, b)| a - b));
        assert!(change(14) / change(13) < 0.87);
    }

    #[test]
    fn little_or_nothing_tells_nothing() {
        let samples: Vec<Vec<f64>> = (0..6).map(after).collect();
        assert!(Outlook::of(&samples).is_none());
        assert!(Outlook::of(&vec![vec![0.5; 8]; 20]).is_none());
        assert!(Outlook::of(&vec![vec![]; 20]).is_none());
    }
}
