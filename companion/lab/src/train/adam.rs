//! Adam, with its moments in the open, so that a training can be resumed.
//!
//! Paper: Kingma and Ba, 2015, algorithm 1, with decay as a part of the gradient, which is what
//! `weight_decay` is in the public code.

use anyhow::Result;
use candle_core::backprop::GradStore;
use candle_core::{Device, Tensor, Var};
use ml::weights::Array;

use super::Tensors;
use super::bpr::take_tensor;

const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const LEAST: f64 = 1e-8;

/// What learns, with what is remembered of its slopes.
pub(super) struct Adam {
    vars: Vec<(String, Var)>,
    means: Vec<Vec<f32>>,
    squares: Vec<Vec<f32>>,
    n_steps: u32,
    lr: f64,
    decay: f64,
}

impl Adam {
    pub(super) fn new(vars: Vec<(String, Var)>, lr: f64, decay: f64) -> Self {
        let zeros = || vars.iter().map(|(_, v)| vec![0.0; v.elem_count()]).collect();
        let (means, squares) = (zeros(), zeros());
        Self { vars, means, squares, n_steps: 0, lr, decay }
    }

    /// A step against the slopes. What has none stays.
    pub(super) fn step(&mut self, slopes: &GradStore) -> Result<()> {
        self.n_steps += 1;
        let n = f64::from(self.n_steps);
        let (first, second) = (1.0 - FIRST.powf(n), 1.0 - SECOND.powf(n));
        for (i, (_, var)) in self.vars.iter().enumerate() {
            let Some(slope) = slopes.get(var) else { continue };
            let slope = slope.flatten_all()?.to_vec1::<f32>()?;
            let mut now = var.flatten_all()?.to_vec1::<f32>()?;
            let remembered = self.means[i].iter_mut().zip(&mut self.squares[i]);
            for ((x, g), (mean, square)) in now.iter_mut().zip(slope).zip(remembered) {
                let g = f64::from(g) + self.decay * f64::from(*x);
                let m = FIRST * f64::from(*mean) + (1.0 - FIRST) * g;
                let s = SECOND * f64::from(*square) + (1.0 - SECOND) * g * g;
                (*mean, *square) = (m as f32, s as f32);
                *x -= (self.lr * (m / first) / ((s / second).sqrt() + LEAST)) as f32;
            }
            var.set(&Tensor::from_vec(now, var.shape(), &Device::Cpu)?)?;
        }
        Ok(())
    }

    /// What has been learned.
    pub(super) fn weights(&self) -> Result<Tensors> {
        let array = |(name, var): &(String, Var)| {
            let data = var.flatten_all()?.to_vec1::<f32>()?;
            Ok((name.clone(), Array::new(var.dims(), data)))
        };
        self.vars.iter().map(array).collect()
    }

    /// Puts weights in their places.
    pub(super) fn set_weights(&self, weights: &Tensors) -> Result<()> {
        for (name, var) in &self.vars {
            let data = take_tensor(weights, name, var.dims())?;
            var.set(&Tensor::from_vec(data, var.shape(), &Device::Cpu)?)?;
        }
        Ok(())
    }

    /// What it remembers.
    pub(super) fn state(&self) -> Tensors {
        let mut all = Tensors::new();
        for (what, of) in [("mean", &self.means), ("square", &self.squares)] {
            for ((name, var), data) in self.vars.iter().zip(of) {
                all.push((format!("{what}.{name}"), Array::new(var.dims(), data.clone())));
            }
        }
        // Two halves, because a number of 32 bits would not go whole into such a tensor.
        let halves = vec![(self.n_steps >> 16) as f32, (self.n_steps & 0xffff) as f32];
        all.push(("steps".into(), Array::new(&[2], halves)));
        all
    }

    /// Puts back what it remembered.
    pub(super) fn set_state(&mut self, state: &Tensors) -> Result<()> {
        for (i, (name, var)) in self.vars.iter().enumerate() {
            self.means[i] = take_tensor(state, &format!("mean.{name}"), var.dims())?;
            self.squares[i] = take_tensor(state, &format!("square.{name}"), var.dims())?;
        }
        let halves = take_tensor(state, "steps", &[2])?;
        self.n_steps = ((halves[0] as u32) << 16) | halves[1] as u32;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use candle_nn::{AdamW, Optimizer as _, ParamsAdamW};

    use super::*;

    /// Without decay it is what candle has; its moments can be put back and nothing changes.
    #[test]
    fn steps_are_those_of_candle_and_go_on_where_they_stopped() {
        let start = || Var::new(&[0.5_f32, -1.5, 2.0], &Device::Cpu).unwrap();
        let (ours, theirs) = (start(), start());
        let loss = |v: &Var| (v.sqr().unwrap() * 0.7).unwrap().exp().unwrap().sum_all().unwrap();
        let mut adam = Adam::new(vec![("x".into(), ours.clone())], 0.01, 0.0);
        let params = ParamsAdamW { lr: 0.01, weight_decay: 0.0, ..ParamsAdamW::default() };
        let mut other = AdamW::new(vec![theirs.clone()], params).unwrap();
        for i in 0..60 {
            if i == 30 {
                let (weights, state) = (adam.weights().unwrap(), adam.state());
                ours.set(&ours.zeros_like().unwrap()).unwrap();
                adam = Adam::new(vec![("x".into(), ours.clone())], 0.01, 0.0);
                adam.set_weights(&weights).unwrap();
                adam.set_state(&state).unwrap();
            }
            adam.step(&loss(&ours).backward().unwrap()).unwrap();
            other.step(&loss(&theirs).backward().unwrap()).unwrap();
        }
        let (a, b) = (ours.to_vec1::<f32>().unwrap(), theirs.to_vec1::<f32>().unwrap());
        a.iter().zip(&b).for_each(|(a, b)| assert!((a - b).abs() < 1e-4, "{a} {b}"));
        assert!(a[0] < 0.2);
    }

    #[test]
    fn decay_pulls_towards_nothing() {
        let var = Var::new(&[3.0_f32], &Device::Cpu).unwrap();
        let mut adam = Adam::new(vec![("x".into(), var.clone())], 0.1, 0.5);
        for _ in 0..400 {
            let flat = (var.sum_all().unwrap() * 1e-9).unwrap();
            adam.step(&flat.backward().unwrap()).unwrap();
        }
        assert!(var.to_vec1::<f32>().unwrap()[0].abs() < 0.2);
    }
}
