//! The weights that training begins with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use candle_core::{DType, Device, Result, Shape, Tensor, Var};
use candle_nn::init::NormalOrUniform;
use candle_nn::var_builder::SimpleBackend;
use candle_nn::{Init, VarBuilder};

/// Variables that are made when they are first asked for, each from the seed and its own name: the
/// same everywhere, in whatever order a model is put together.
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: u64,
    vars: Arc<Mutex<BTreeMap<String, Var>>>,
}

impl Seeded {
    /// No variables yet.
    pub fn new(seed: u64) -> Self {
        Self { seed, vars: Arc::default() }
    }

    /// What a model takes its variables from.
    pub fn builder(&self, dtype: DType) -> VarBuilder<'static> {
        VarBuilder::from_backend(Box::new(self.clone()), dtype, Device::Cpu)
    }

    /// The variables so far with their names, in the order of these.
    pub fn all(&self) -> Vec<(String, Var)> {
        self.lock().iter().map(|(name, var)| (name.clone(), var.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Var>> {
        // Each insertion is whole, so what another thread left is too.
        self.vars.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, shape: &Shape, name: &str, init: Init) -> Result<Var> {
        let mut draws = Draws(self.seed ^ hash(name));
        let n = shape.elem_count();
        let numbers: Vec<f64> = match init {
            Init::Const(value) => vec![value; n],
            Init::Randn { mean, stdev } => (0..n).map(|_| mean + stdev * draws.normal()).collect(),
            Init::Uniform { lo, up } => (0..n).map(|_| lo + (up - lo) * draws.uniform()).collect(),
            Init::Kaiming { dist, fan, non_linearity } => {
                let spread = non_linearity.gain() / (fan.for_shape(shape) as f64).sqrt();
                let mut draw = || match dist {
                    NormalOrUniform::Normal => draws.normal(),
                    NormalOrUniform::Uniform => 3_f64.sqrt() * (2.0 * draws.uniform() - 1.0),
                };
                (0..n).map(|_| spread * draw()).collect()
            }
        };
        Var::from_vec(numbers, shape, &Device::Cpu)
    }
}

impl SimpleBackend for Seeded {
    fn get(
        &self,
        shape: Shape,
        name: &str,
        init: Init,
        dtype: DType,
        _: &Device,
    ) -> Result<Tensor> {
        let mut vars = self.lock();
        if let Some(var) = vars.get(name) {
            if var.shape() != &shape {
                candle_core::bail!("{name} is {:?} and was asked for as {shape:?}", var.shape());
            }
            return Ok(var.as_tensor().clone());
        }
        let var = Var::from_tensor(&self.make(&shape, name, init)?.to_dtype(dtype)?)?;
        vars.insert(name.to_owned(), var.clone());
        Ok(var.as_tensor().clone())
    }

    fn get_unchecked(&self, name: &str, _: DType, _: &Device) -> Result<Tensor> {
        match self.lock().get(name) {
            Some(var) => Ok(var.as_tensor().clone()),
            None => candle_core::bail!("{name} was never asked for with a shape"),
        }
    }

    fn contains_tensor(&self, name: &str) -> bool {
        self.lock().contains_key(name)
    }
}

/// FNV-1a.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// SplitMix64.
struct Draws(u64);

impl Draws {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / 2_f64.powi(53)
    }

    /// Nearly normal, by sums alone: a logarithm or a cosine is not the same on every machine.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}
