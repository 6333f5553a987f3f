//! Small dense matrices: products, the modes of a linear map, linear equations.
//!
//! A dozen rows and columns at most where the effort grows with their cube; columns may be long.
//!
//! Source: Golub and Van Loan, "Matrix computations", 4th edition, 2013: the cyclic Jacobi method (8.5), the
//! Hessenberg form (7.4) and the QR iteration with double shifts (7.5).

use std::ops::{Index, IndexMut};

/// The most sweeps or steps until the off-diagonal part vanishes. A matrix of finite numbers needs about ten.
const PATIENCE: usize = 1000;

/// A matrix, as its columns.
#[derive(Clone, Debug)]
pub(crate) struct Matrix(Vec<Vec<f64>>);

/// The scalar product.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The Euclidean length.
pub(crate) fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.0[column][row]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.0[column][row]
    }
}

impl Matrix {
    /// The matrix of these columns, all of one length.
    pub(crate) fn of_columns(columns: Vec<Vec<f64>>) -> Self {
        Self(columns)
    }

    /// The square matrix of these numbers by row and column.
    fn of(size: usize, number: impl Fn(usize, usize) -> f64) -> Self {
        Self((0..size).map(|column| (0..size).map(|row| number(row, column)).collect()).collect())
    }

    /// The product with a vector.
    pub(crate) fn map(&self, vector: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.0.first().map_or(0, Vec::len)];
        for (column, times) in self.0.iter().zip(vector) {
            sum.iter_mut().zip(column).for_each(|(sum, number)| *sum += times * number);
        }
        sum
    }

    /// The product with another matrix.
    pub(crate) fn times(&self, other: &Self) -> Self {
        Self(other.0.iter().map(|column| self.map(column)).collect())
    }

    /// The product of the transpose with a vector.
    pub(crate) fn transposed_map(&self, vector: &[f64]) -> Vec<f64> {
        self.0.iter().map(|column| dot(column, vector)).collect()
    }

    /// The product of the transpose with another matrix.
    pub(crate) fn transposed_times(&self, other: &Self) -> Self {
        Self(other.0.iter().map(|column| self.transposed_map(column)).collect())
    }

    /// The eigenvalues and eigenvectors of this symmetric matrix; `None` if its numbers are not finite.
    pub(crate) fn symmetric_modes(mut self) -> Option<Vec<(f64, Vec<f64>)>> {
        let size = self.0.len();
        let mut vectors = Self::of(size, |row, column| f64::from(u8::from(row == column)));
        let all = self.0.iter().map(|column| dot(column, column)).sum::<f64>();
        for _ in 0..PATIENCE {
            let diagonal = (0..size).map(|at| self[(at, at)]).collect::<Vec<_>>();
            let off = pairs(size).map(|at| self[at] * self[at]).sum::<f64>();
            if off <= all * f64::EPSILON * f64::EPSILON {
                return Some(diagonal.into_iter().zip(vectors.0).collect());
            }
            for (row, column) in pairs(size) {
                self.rotate(row, column, &mut vectors);
            }
        }
        None
    }

    /// Rotates two axes so that this symmetric matrix has zeros where they cross.
    fn rotate(&mut self, row: usize, column: usize, vectors: &mut Self) {
        let crossing = self[(row, column)];
        if crossing == 0.0 {
            return;
        }
        let angle = (self[(column, column)] - self[(row, row)]) / (2.0 * crossing);
        let tangent = angle.signum() / (angle.abs() + angle.hypot(1.0));
        let cosine = 1.0 / tangent.hypot(1.0);
        let turned =
            |one: f64, other: f64| (cosine * (one - tangent * other), cosine * (tangent * one + other));
        for at in 0..self.0.len() {
            (self[(at, row)], self[(at, column)]) = turned(self[(at, row)], self[(at, column)]);
            (vectors[(at, row)], vectors[(at, column)]) = turned(vectors[(at, row)], vectors[(at, column)]);
        }
        for at in 0..self.0.len() {
            (self[(row, at)], self[(column, at)]) = turned(self[(row, at)], self[(column, at)]);
        }
    }

    /// The eigenvalues of this square matrix, as real and imaginary parts; `None` if its numbers are not finite.
    pub(crate) fn eigenvalues(mut self) -> Option<Vec<(f64, f64)>> {
        let size = self.0.len();
        match size {
            0 => return Some(Vec::new()),
            1 => return self[(0, 0)].is_finite().then(|| vec![(self[(0, 0)], 0.0)]),
            2 => return Some(self.two_eigenvalues().into()),
            _ => {}
        }
        self.make_hessenberg();
        for step in 0..PATIENCE {
            let small = |&at: &usize| {
                let beside = self[(at, at)].abs() + self[(at + 1, at + 1)].abs();
                self[(at + 1, at)].abs() <= f64::EPSILON * beside
            };
            if let Some(at) = (0..size - 1).rev().find(small) {
                let first = Self::of(at + 1, |row, column| self[(row, column)]);
                let second = Self::of(size - at - 1, |row, column| self[(at + 1 + row, at + 1 + column)]);
                return Some([first.eigenvalues()?, second.eigenvalues()?].concat());
            }
            self.shift_twice(step);
        }
        None
    }

    /// The eigenvalues of this matrix of two rows.
    fn two_eigenvalues(&self) -> [(f64, f64); 2] {
        let middle = (self[(0, 0)] + self[(1, 1)]) / 2.0;
        let half = (self[(0, 0)] - self[(1, 1)]) / 2.0;
        let square = half * half + self[(0, 1)] * self[(1, 0)];
        if square < 0.0 {
            let turn = (-square).sqrt();
            return [(middle, turn), (middle, -turn)];
        }
        // Without cancellation: the greater one from the sum, the other one from the product.
        let greater = middle + square.sqrt().copysign(middle);
        let product = self[(0, 0)] * self[(1, 1)] - self[(0, 1)] * self[(1, 0)];
        let other = if greater == 0.0 { 0.0 } else { product / greater };
        [(greater, 0.0), (other, 0.0)]
    }

    /// One step of the QR iteration, shifted by both eigenvalues of the last two rows.
    fn shift_twice(&mut self, step: usize) {
        let last = self.0.len() - 1;
        let (mut sum, mut product) = (
            self[(last - 1, last - 1)] + self[(last, last)],
            self[(last - 1, last - 1)] * self[(last, last)] - self[(last - 1, last)] * self[(last, last - 1)],
        );
        // The usual shifts can repeat themselves; other ones now and then end that.
        if step % 10 == 9 {
            let beside = self[(last, last - 1)].abs() + self[(last - 1, last - 2)].abs();
            (sum, product) = (1.5 * beside, beside * beside);
        }
        // The first column of the square of the shifted matrix.
        let (corner, below) = (self[(0, 0)], self[(1, 0)]);
        self.reflect(
            &[
                corner * (corner - sum) + product + self[(0, 1)] * below,
                below * (corner + self[(1, 1)] - sum),
                below * self[(2, 1)],
            ],
            0,
        );
        self.make_hessenberg();
    }

    /// Turns the axes so that only zeros are left below the first subdiagonal; the eigenvalues stay.
    fn make_hessenberg(&mut self) {
        for column in 0..self.0.len() - 2 {
            let below = self.0[column][column + 1..].to_vec();
            self.reflect(&below, column + 1);
            self.0[column][column + 2..].fill(0.0);
        }
    }

    /// Reflects the axes from `first` on so that `vector` lies on the first of them; the eigenvalues stay.
    fn reflect(&mut self, vector: &[f64], first: usize) {
        let mut normal = vector.to_vec();
        normal[0] += norm(vector).copysign(vector[0]);
        let square = dot(&normal, &normal);
        if square == 0.0 {
            return;
        }
        for column in &mut self.0 {
            let part = &mut column[first..first + normal.len()];
            let times = 2.0 * dot(part, &normal) / square;
            part.iter_mut().zip(&normal).for_each(|(number, normal)| *number -= times * normal);
        }
        for row in 0..self.0.len() {
            let along = (0..).zip(&normal).map(|(at, normal)| self[(row, first + at)] * normal).sum::<f64>();
            let times = 2.0 * along / square;
            for (at, normal) in normal.iter().enumerate() {
                self[(row, first + at)] -= times * normal;
            }
        }
    }

    /// The vector that is `right` plus its image, `(1 − self)⁻¹ right`; `None` if there is not exactly one.
    pub(crate) fn sum_of_images(&self, right: &[f64]) -> Option<Vec<f64>> {
        let size = self.0.len();
        let mut equations =
            Self::of(size, |row, column| f64::from(u8::from(row == column)) - self[(row, column)]);
        equations.0.push(right.to_vec());
        for pivot in 0..size {
            let greatest = (pivot..size).max_by(|&one, &other| {
                equations[(one, pivot)].abs().total_cmp(&equations[(other, pivot)].abs())
            })?;
            equations.0.iter_mut().for_each(|column| column.swap(pivot, greatest));
            let divisor = equations[(pivot, pivot)];
            if divisor == 0.0 {
                return None;
            }
            for row in (0..size).filter(|&row| row != pivot) {
                let times = equations[(row, pivot)] / divisor;
                for column in pivot..=size {
                    let above = equations[(pivot, column)];
                    equations[(row, column)] -= times * above;
                }
            }
        }
        Some((0..size).map(|at| equations[(at, size)] / equations[(at, at)]).collect())
    }
}

/// The places right of the diagonal.
fn pairs(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).flat_map(move |row| (row + 1..size).map(move |column| (row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 without order, the same every time.
    fn any(size: usize, seed: usize) -> Matrix {
        Matrix::of(size, |row, column| {
            (((seed * 31 + row) * 17 + column + 1) as f64 * 78.233).sin() * 43_758.545 % 1.0
        })
    }

    /// The determinant of the matrix less `shift` on its diagonal, by elimination with complex numbers.
    fn determinant(matrix: &Matrix, (re, im): (f64, f64)) -> f64 {
        let size = matrix.0.len();
        let times = |(a, b): (f64, f64), (c, d): (f64, f64)| (a * c - b * d, a * d + b * c);
        let mut rows: Vec<Vec<(f64, f64)>> = (0..size)
            .map(|row| {
                let own = |column: usize| if row == column { (re, im) } else { (0.0, 0.0) };
                (0..size).map(|column| (matrix[(row, column)] - own(column).0, -own(column).1)).collect()
            })
            .collect();
        let mut length = 1.0;
        for pivot in 0..size {
            let size_of = |row: &Vec<(f64, f64)>| row[pivot].0.hypot(row[pivot].1);
            let greatest =
                (pivot..size).max_by(|&one, &other| size_of(&rows[one]).total_cmp(&size_of(&rows[other])));
            rows.swap(pivot, greatest.unwrap());
            let by = size_of(&rows[pivot]);
            length *= by;
            if by == 0.0 {
                return 0.0;
            }
            let inverse = (rows[pivot][pivot].0 / by / by, -rows[pivot][pivot].1 / by / by);
            let above = rows[pivot].clone();
            for row in &mut rows[pivot + 1..] {
                let share = times(row[pivot], inverse);
                for (number, &above) in row.iter_mut().zip(&above) {
                    let part = times(share, above);
                    *number = (number.0 - part.0, number.1 - part.1);
                }
            }
        }
        length
    }

    #[test]
    fn eigenvalues_are_the_roots_of_the_characteristic_polynomial() {
        for (size, seed) in (1..=12).flat_map(|size| (0..20).map(move |seed| (size, seed))) {
            let matrix = any(size, seed);
            let roots = matrix.clone().eigenvalues().unwrap();
            assert_eq!(roots.len(), size);
            for &root in &roots {
                // The derivative at a root is the product of its distances from the others.
                let others = roots.iter().map(|other| (root.0 - other.0).hypot(root.1 - other.1));
                let slope: f64 = others.filter(|&distance| distance > 0.0).product();
                assert!(determinant(&matrix, root) < 1e-9 * slope.max(1.0), "{size} {seed} {root:?}");
            }
            let trace: f64 = (0..size).map(|at| matrix[(at, at)]).sum();
            let sum: f64 = roots.iter().map(|root| root.0).sum();
            assert!(
                (trace - sum).abs() < 1e-12 && roots.iter().map(|root| root.1).sum::<f64>().abs() < 1e-12
            );
        }
    }

    #[test]
    fn known_eigenvalues_are_found() {
        // A cycle of five: the shifts of the last two rows are zero for ever, the eigenvalues lie on the unit circle.
        let cycle = Matrix::of(5, |row, column| f64::from(u8::from(row == (column + 1) % 5)));
        let roots = cycle.eigenvalues().unwrap();
        assert!(roots.iter().all(|(re, im)| (re.hypot(*im) - 1.0).abs() < 1e-12), "{roots:?}");
        assert_eq!(roots.iter().filter(|root| root.1 == 0.0).count(), 1, "{roots:?}");
        // Three times the same one.
        let block =
            Matrix::of(3, |row, column| if row == column { 0.5 } else { f64::from(u8::from(row < column)) });
        assert_eq!(block.eigenvalues().unwrap(), [(0.5, 0.0); 3]);
        assert!(Matrix::of(4, |_, _| f64::NAN).eigenvalues().is_none());
        assert!(Matrix::of(1, |_, _| f64::INFINITY).eigenvalues().is_none());
    }

    #[test]
    fn symmetric_matrices_have_orthogonal_modes() {
        for (size, seed) in (0..=12).flat_map(|size| (0..20).map(move |seed| (size, seed))) {
            let half = any(size, seed);
            let matrix = half.transposed_times(&half);
            let modes = matrix.clone().symmetric_modes().unwrap();
            for (at, (value, vector)) in modes.iter().enumerate() {
                let image = matrix.map(vector);
                let off: Vec<f64> =
                    image.iter().zip(vector).map(|(image, part)| image - value * part).collect();
                assert!(norm(&off) < 1e-13 * (size * size) as f64, "{size} {seed}");
                for (other, (_, across)) in modes.iter().enumerate() {
                    let expected = f64::from(u8::from(at == other));
                    assert!((dot(vector, across) - expected).abs() < 1e-13, "{size} {seed}");
                }
            }
        }
        assert!(Matrix::of(3, |_, _| f64::NAN).symmetric_modes().is_none());
    }

    #[test]
    fn a_sum_of_images_solves_its_equation() {
        for (size, seed) in (1..=12).flat_map(|size| (0..20).map(move |seed| (size, seed))) {
            let (matrix, right) = (any(size, seed), any(size, seed + 20).0.remove(0));
            let sum = matrix.sum_of_images(&right).unwrap();
            let rest: Vec<f64> = (0..size).map(|at| sum[at] - matrix.map(&sum)[at] - right[at]).collect();
            assert!(norm(&rest) < 1e-11 * norm(&sum).max(1.0), "{size} {seed}");
        }
        let same = Matrix::of(2, |row, column| f64::from(u8::from(row == column)));
        assert!(same.sum_of_images(&[1.0, 2.0]).is_none());
    }
}
