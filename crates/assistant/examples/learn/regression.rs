//! Logistic regression: how likely something is, by the weights of what speaks against it.

/// Something that is so or not, with the sizes of what speaks against it.
pub struct Sample {
    pub sizes: Vec<f64>,
    pub is_so: bool,
    /// How much it counts.
    pub weight: f64,
}

/// Learned weights.
pub struct Fitted {
    pub base: f64,
    pub weights: Vec<f64>,
}

/// How strongly weights are drawn to zero: rare evidence counts less.
const RIDGE: f64 = 2.0;
/// Newton's method needs no more steps.
const STEPS: usize = 15;

impl Fitted {
    pub fn probability(&self, sizes: &[f64]) -> f64 {
        let sum: f64 = self.weights.iter().zip(sizes).map(|(weight, size)| weight * size).sum();
        1.0 / (1.0 + (-self.base - sum).exp())
    }

    /// The weights of at most zero that fit the samples best: whichever would be above zero is left out, until none is.
    pub fn of(samples: &[&Sample]) -> Self {
        let all = samples.first().map_or(0, |one| one.sizes.len());
        let mut used: Vec<usize> = (0..all).collect();
        loop {
            let fitted = fitted(samples, &used);
            let (base, own) = fitted.split_first().expect("the base");
            if own.iter().all(|weight| *weight <= 0.0) {
                let mut weights = vec![0.0; all];
                used.iter().zip(own).for_each(|(at, weight)| weights[*at] = *weight);
                return Self { base: *base, weights };
            }
            used = used.iter().zip(own).filter(|(_, weight)| **weight <= 0.0).map(|(at, _)| *at).collect();
        }
    }
}

/// The base and the weights of some sizes that fit the samples best, by Newton's method.
fn fitted(samples: &[&Sample], used: &[usize]) -> Vec<f64> {
    let row = |one: &&Sample| std::iter::once(1.0).chain(used.iter().map(|at| one.sizes[*at])).collect();
    let rows: Vec<Vec<f64>> = samples.iter().map(row).collect();
    let mut weights = vec![0.0; used.len() + 1];
    for _ in 0..STEPS {
        let step = step(samples, &rows, &weights);
        weights.iter_mut().zip(step).for_each(|(weight, by)| *weight += by);
    }
    weights
}

/// One step of Newton's method.
fn step(samples: &[&Sample], rows: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let many = weights.len();
    let mut slope: Vec<f64> = (0..many).map(|at| if at == 0 { 0.0 } else { -RIDGE * weights[at] }).collect();
    let mut bend = vec![vec![0.0; many]; many];
    (0..many).for_each(|at| bend[at][at] = if at == 0 { 1e-9 } else { RIDGE });
    for (one, row) in samples.iter().zip(rows) {
        let sum: f64 = row.iter().zip(weights).map(|(size, weight)| size * weight).sum();
        let likely = 1.0 / (1.0 + (-sum).exp());
        let off = one.weight * (f64::from(u8::from(one.is_so)) - likely);
        let curve = one.weight * likely * (1.0 - likely);
        let own: Vec<usize> = (0..many).filter(|at| row[*at] != 0.0).collect();
        for at in &own {
            slope[*at] += off * row[*at];
            own.iter().for_each(|other| bend[*at][*other] += curve * row[*at] * row[*other]);
        }
    }
    solved(bend, slope)
}

/// Solves a system of equations whose matrix is symmetric and positive.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let many = right.len();
    for at in 0..many {
        let (above, below) = matrix.split_at_mut(at + 1);
        let pivot = &above[at];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[at] / pivot[at];
            if factor != 0.0 {
                (at..many).for_each(|column| row[column] -= factor * pivot[column]);
                right[at + 1 + offset] -= factor * right[at];
            }
        }
    }
    for at in (0..many).rev() {
        let known: f64 = (at + 1..many).map(|column| matrix[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}
