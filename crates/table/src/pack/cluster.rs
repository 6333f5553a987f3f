//! Merging of similar histograms.

/// The count of each symbol; symbols that do not occur are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    counts: Vec<(u8, u32)>,
    total: u32,
}

impl Histogram {
    pub(super) fn of(counts: &[u32]) -> Self {
        let counts: Vec<(u8, u32)> = counts
            .iter()
            .zip(0u8..=255)
            .filter(|(count, _)| **count > 0)
            .map(|(&count, kind)| (kind, count))
            .collect();
        let total = counts.iter().map(|(_, count)| count).sum();
        Self { counts, total }
    }

    pub(super) const fn total(&self) -> u32 {
        self.total
    }

    /// The number of different symbols.
    pub(super) fn kinds(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, u32)> + '_ {
        self.counts.iter().copied()
    }

    fn with(&self, other: &Self) -> Self {
        let mut counts = Vec::with_capacity(self.counts.len() + other.counts.len());
        let (mut left, mut right) = (self.counts.iter().peekable(), other.counts.iter().peekable());
        while let (Some(&&(a, in_a)), Some(&&(b, in_b))) = (left.peek(), right.peek()) {
            counts.push(if a == b {
                (a, in_a + in_b)
            } else if a < b {
                (a, in_a)
            } else {
                (b, in_b)
            });
            if a <= b {
                left.next();
            }
            if b <= a {
                right.next();
            }
        }
        counts.extend(left.chain(right));
        Self { counts, total: self.total + other.total }
    }
}

/// Bits of the symbols of a histogram under its own frequencies.
pub(super) fn code_length(histogram: &Histogram) -> f64 {
    let part = |count: u32| f64::from(count) * f64::from(count).log2();
    part(histogram.total.max(1)) - histogram.counts.iter().map(|&(_, count)| part(count)).sum::<f64>()
}

/// The largest number of clusters.
const MAX_CLUSTERS: usize = 255;
/// The number of rounds in which histograms move to the cluster that codes them best.
const ROUNDS: usize = 5;
/// The count, in occurrences, that a cluster assumes for a symbol that it has not seen.
const UNSEEN: f64 = 0.02;

/// The cluster of each histogram, numbered from 0 without gaps.
///
/// * `scale`: the weight of a bit of the histograms.
/// * `kind_bits`: the cost of a symbol of a cluster, in bits.
pub(super) fn cluster(histograms: &[&Histogram], scale: f64, kind_bits: f64) -> Vec<u8> {
    let mut order: Vec<usize> = (0..histograms.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(histograms[number].total));
    let mut clusters: Vec<Histogram> =
        order.iter().take(MAX_CLUSTERS).map(|&number| histograms[number].clone()).collect();
    let mut homes = vec![0; histograms.len()];
    for (home, &number) in order.iter().take(clusters.len()).enumerate() {
        homes[number] = home;
    }
    if histograms.len() > clusters.len() {
        for _ in 0..ROUNDS {
            homes = assign(histograms, &clusters);
            clusters = gather(histograms, &homes, clusters.len());
        }
    }
    let merged = merge(clusters, scale, kind_bits);
    let mut names = vec![None; merged.len()];
    let mut next = 0u8;
    let name = |home: usize| {
        *names[merged[home]].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    homes.into_iter().map(name).collect()
}

/// The cluster that codes each histogram in the fewest bits.
fn assign(histograms: &[&Histogram], clusters: &[Histogram]) -> Vec<usize> {
    use rayon::prelude::*;
    let prices: Vec<[f32; 256]> = clusters.iter().map(prices).collect();
    let best = |histogram: &&Histogram| {
        let cost = |prices: &[f32; 256]| -> f32 {
            histogram.counts.iter().map(|&(kind, count)| count as f32 * prices[usize::from(kind)]).sum()
        };
        let costs = prices.iter().map(cost).enumerate();
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(number, _)| number)
    };
    histograms.par_iter().map(best).collect()
}

/// Bits per symbol.
fn prices(cluster: &Histogram) -> [f32; 256] {
    let total = f64::from(cluster.total) + 256.0 * UNSEEN;
    let mut prices = [(total / UNSEEN).log2() as f32; 256];
    for &(kind, count) in &cluster.counts {
        prices[usize::from(kind)] = (total / (f64::from(count) + UNSEEN)).log2() as f32;
    }
    prices
}

fn gather(histograms: &[&Histogram], homes: &[usize], count: usize) -> Vec<Histogram> {
    let mut counts = vec![[0u32; 256]; count];
    for (histogram, &home) in histograms.iter().zip(homes) {
        for &(kind, occurrences) in &histogram.counts {
            counts[home][usize::from(kind)] += occurrences;
        }
    }
    counts.iter().map(|counts| Histogram::of(counts)).collect()
}

/// Merges pairs as long as that saves bits; returns the cluster into which each cluster was merged.
fn merge(mut clusters: Vec<Histogram>, scale: f64, kind_bits: f64) -> Vec<usize> {
    let price = |cluster: &Histogram| code_length(cluster) * scale + kind_bits * (1 + cluster.kinds()) as f64;
    let mut costs: Vec<f64> = clusters.iter().map(price).collect();
    let mut homes: Vec<usize> = (0..clusters.len()).collect();
    let mut alive = vec![true; clusters.len()];
    let saving = |clusters: &[Histogram], costs: &[f64], a: usize, b: usize| {
        costs[a] + costs[b] - price(&clusters[a].with(&clusters[b]))
    };
    let best_of = |clusters: &[Histogram], costs: &[f64], alive: &[bool], a: usize| {
        let others = (a + 1..clusters.len()).filter(|&b| alive[b]);
        let savings = others.map(|b| (saving(clusters, costs, a, b), b));
        savings.max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1))).unwrap_or((f64::NEG_INFINITY, a))
    };
    let mut best: Vec<(f64, usize)> =
        (0..clusters.len()).map(|a| best_of(&clusters, &costs, &alive, a)).collect();
    loop {
        let chosen =
            (0..clusters.len()).filter(|&a| alive[a]).max_by(|&a, &b| best[a].0.total_cmp(&best[b].0));
        let Some(a) = chosen.filter(|&a| best[a].0 > 0.0) else { break };
        let b = best[a].1;
        clusters[a] = clusters[a].with(&clusters[b]);
        costs[a] = price(&clusters[a]);
        alive[b] = false;
        homes.iter_mut().filter(|home| **home == b).for_each(|home| *home = a);
        for c in (0..clusters.len()).filter(|&c| alive[c]) {
            if c == a || best[c].1 == a || best[c].1 == b {
                best[c] = best_of(&clusters, &costs, &alive, c);
            } else if c < a {
                let found = saving(&clusters, &costs, c, a);
                if found > best[c].0 {
                    best[c] = (found, a);
                }
            }
        }
    }
    homes
}
