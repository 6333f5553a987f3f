//! The weights of the terms of a hand-made evaluation: logistic regression on the outcomes of games.

use marquis_core::Game;
use marquis_eval::{TERMS, Terms};

use crate::Lesson;
use crate::fit::loss;
use crate::record::TrainingGame;
use crate::selfplay::result;

/// The weights, in hundredths of log-odds, that fit the outcomes of games best, and the mean loss with them.
///
/// * `records`: games; every position counts.
#[must_use]
pub fn fit<L: Lesson>(lesson: &L, records: &[TrainingGame]) -> ([f64; TERMS], f64) {
    let samples: Vec<([f64; TERMS], f64)> =
        records.iter().flat_map(|record| positions(lesson, record)).collect();
    let mut weights = [0.0; TERMS];
    // Newton's method; the problem is convex and small.
    for _ in 0..20 {
        let mut slope = [0.0; TERMS];
        let mut bend = [[0.0; TERMS]; TERMS];
        for (terms, end) in &samples {
            let output: f64 = terms.iter().zip(&weights).map(|(term, weight)| term * weight).sum();
            let chance = 1.0 / (1.0 + (-output).exp());
            for i in 0..TERMS {
                slope[i] += (chance - end) * terms[i];
                for j in 0..TERMS {
                    bend[i][j] += chance * (1.0 - chance) * terms[i] * terms[j];
                }
            }
        }
        for (i, row) in bend.iter_mut().enumerate() {
            row[i] += 1e-3;
        }
        let step = solved(bend, slope);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
    }
    let one = |(terms, end): &([f64; TERMS], f64)| {
        let output: f64 = terms.iter().zip(&weights).map(|(term, weight)| term * weight).sum();
        f64::from(loss(output as f32, *end as f32))
    };
    let mean = samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64;
    (weights.map(|weight| 100.0 * weight), mean)
}

fn positions<L: Lesson>(lesson: &L, record: &TrainingGame) -> Vec<([f64; TERMS], f64)> {
    let Ok((rules, mut position)) = lesson.parse(&record.start) else { return Vec::new() };
    let mut found = Vec::new();
    let mut legal = Vec::new();
    for &(number, _) in &record.moves {
        if rules.over(&position).is_some() {
            break;
        }
        let end = result(record.outcome, rules.turn(&position));
        found.push((L::Sense::terms(&rules, &position).map(f64::from), f64::from(end)));
        legal.clear();
        rules.moves(&position, &mut legal);
        let Some(&mv) = legal.get(usize::from(number)) else { break };
        position = rules.play(&position, mv);
    }
    found
}

/// The solution of a system of linear equations, by elimination.
fn solved(mut rows: [[f64; TERMS]; TERMS], mut right: [f64; TERMS]) -> [f64; TERMS] {
    for pivot in 0..TERMS {
        for below in pivot + 1..TERMS {
            let times = rows[below][pivot] / rows[pivot][pivot];
            let above = rows[pivot];
            for (number, above) in rows[below].iter_mut().zip(above).skip(pivot) {
                *number -= times * above;
            }
            right[below] -= times * right[pivot];
        }
    }
    for pivot in (0..TERMS).rev() {
        let known: f64 = (pivot + 1..TERMS).map(|column| rows[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / rows[pivot][pivot];
    }
    right
}
