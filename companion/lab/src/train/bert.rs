//! What learning is for both BERTs: full batches or small ones, slopes by candle, steps by Adam.

use anyhow::Result;
use candle_core::{DType, Device, Tensor};
use ml::layers::{Dropout, DropoutMask, NoDropout, Seeded, Sizes};
use rand::RngCore as _;
use rand_chacha::ChaCha8Rng;

use super::adam::Adam;
use super::bpr::shuffle;
use super::{Headline, Measured, Numbers, Tensors, Trainer};

/// Examples that are measured together.
const MEASURED: usize = 512;

/// Makes what the model is given of some examples; where it learns from them, with chance.
type Make<'a, B> = Box<dyn Fn(&[usize], Option<&mut ChaCha8Rng>) -> candle_core::Result<B> + 'a>;
/// Computes what speaks for each class.
type Forward<'a, B> = Box<dyn Fn(&B, &mut dyn DropoutMask) -> candle_core::Result<Tensor> + 'a>;

/// The sizes of the encoder that settings ask for.
pub(super) fn sizes(settings: &Numbers) -> Sizes {
    let count = |name| settings.count(name).max(1);
    Sizes::new(count("hidden"), count("hidden"), count("heads"), count("layers"))
}

/// Examples by their numbers, in the three parts of a split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) train: Vec<usize>,
    pub(super) valid: Vec<usize>,
    pub(super) test: Vec<usize>,
}

/// Examples that were made once: what the model is given, and the right classes.
struct Ready<B> {
    batch: B,
    classes: Vec<u32>,
}

/// A BERT that learns to tell classes.
pub(super) struct Learning<'a, B> {
    make: Make<'a, B>,
    forward: Forward<'a, B>,
    /// The class of each example.
    classes: &'a [u32],
    train: Vec<usize>,
    /// All of `train`, where it goes through the model at once and is the same in every epoch.
    whole: Option<Ready<B>>,
    valid: Vec<Ready<B>>,
    test: Vec<Ready<B>>,
    adam: Adam,
    dropout: [f64; 2],
    batch: usize,
    /// The share of the test that has the class that is the most common outside of it.
    baseline: f64,
}

/// The figures that both are told by.
pub(super) const HEADLINE: Headline = Headline {
    figure: ACCURACY,
    baseline: COMMONEST,
    baseline_is: "always the most common class",
    measured: "",
};
const ACCURACY: &str = "test accuracy";
const COMMONEST: &str = "most common class: test accuracy";

/// How often the class that is the most common in training and validation is right in the test; the
/// first of those that are as common.
fn commonest(classes: &[u32], parts: &Parts) -> f64 {
    let mut counts = std::collections::BTreeMap::<u32, usize>::new();
    let known = parts.train.iter().chain(&parts.valid);
    known.for_each(|i| *counts.entry(classes[*i]).or_default() += 1);
    let best = counts.iter().rev().max_by_key(|(_, n)| **n).map(|(class, _)| *class);
    let n_right = parts.test.iter().filter(|i| Some(classes[**i]) == best).count();
    n_right as f64 / parts.test.len().max(1) as f64
}

impl<'a, B> Learning<'a, B> {
    pub(super) fn new(
        settings: &Numbers,
        vars: &Seeded,
        parts: Parts,
        classes: &'a [u32],
        make: Make<'a, B>,
        forward: Forward<'a, B>,
    ) -> Result<Self> {
        let ready = |some: &[usize]| -> Result<Ready<B>> {
            let classes = some.iter().map(|i| classes[*i]).collect();
            Ok(Ready { batch: make(some, None)?, classes })
        };
        let all =
            |examples: &[usize]| examples.chunks(MEASURED).map(&ready).collect::<Result<Vec<_>>>();
        let batch = settings.count("batch");
        let is_same = settings.get("shuffle") == 0.0;
        let whole = if batch == 0 && is_same { Some(ready(&parts.train)?) } else { None };
        let (valid, test) = (all(&parts.valid)?, all(&parts.test)?);
        let adam = Adam::new(vars.all(), settings.get("lr"), settings.get("decay"));
        let dropout = [settings.get("dropout"), settings.get("attention_dropout")];
        let baseline = commonest(classes, &parts);
        let train = parts.train;
        Ok(Self {
            make,
            forward,
            classes,
            train,
            whole,
            valid,
            test,
            adam,
            dropout,
            batch,
            baseline,
        })
    }

    fn learn(&mut self, batch: &B, classes: &[u32], rng: &mut ChaCha8Rng) -> Result<f64> {
        let [hidden, attention] = self.dropout;
        let mut noise = Dropout::new(hidden, attention, || rng.next_u32())?;
        let logits = (self.forward)(batch, &mut noise)?;
        let wanted = Tensor::from_slice(classes, classes.len(), &Device::Cpu)?;
        let loss = candle_nn::loss::cross_entropy(&logits, &wanted)?;
        self.adam.step(&loss.backward()?)?;
        Ok(f64::from(loss.to_dtype(DType::F32)?.to_scalar::<f32>()?))
    }

    /// The share of examples whose class is found, and the mean loss.
    fn accuracy(&self, all: &[Ready<B>]) -> Result<(f64, f64)> {
        let (mut right, mut lost, mut n) = (0, 0.0, 0);
        for ready in all {
            let logits = (self.forward)(&ready.batch, &mut NoDropout)?;
            let found = logits.argmax(1)?.to_vec1::<u32>()?;
            let wanted = Tensor::from_slice(&ready.classes, found.len(), &Device::Cpu)?;
            let loss = candle_nn::loss::cross_entropy(&logits, &wanted)?.to_scalar::<f32>()?;
            right += found.iter().zip(&ready.classes).filter(|(a, b)| a == b).count();
            lost += f64::from(loss) * found.len() as f64;
            n += found.len();
        }
        let n = n.max(1) as f64;
        Ok((right as f64 / n, lost / n))
    }
}

impl<B> Trainer for Learning<'_, B> {
    fn epoch(&mut self, _: usize, rng: &mut ChaCha8Rng) -> Result<f64> {
        if let Some(whole) = self.whole.take() {
            let loss = self.learn(&whole.batch, &whole.classes, rng);
            self.whole = Some(whole);
            return loss;
        }
        let mut order = self.train.clone();
        shuffle(&mut order, rng);
        let (mut sum, mut n) = (0.0, 0);
        let size = if self.batch == 0 { order.len() } else { self.batch };
        for some in order.chunks(size.max(1)) {
            let batch = (self.make)(some, Some(rng))?;
            let classes: Vec<u32> = some.iter().map(|i| self.classes[*i]).collect();
            sum += self.learn(&batch, &classes, rng)? * some.len() as f64;
            n += some.len();
        }
        Ok(sum / n.max(1) as f64)
    }

    fn measure(&mut self) -> Result<Measured> {
        let (valid, valid_loss) = self.accuracy(&self.valid)?;
        Ok(Measured { valid, test: self.accuracy(&self.test)?.0, valid_loss })
    }

    fn weights(&self) -> Result<Tensors> {
        self.adam.weights()
    }

    fn set_weights(&mut self, weights: &Tensors) -> Result<()> {
        self.adam.set_weights(weights)
    }

    fn state(&self) -> Tensors {
        self.adam.state()
    }

    fn set_state(&mut self, state: &Tensors) -> Result<()> {
        self.adam.set_state(state)
    }

    fn figures(&mut self) -> Result<Vec<(&'static str, f64)>> {
        Ok(vec![(ACCURACY, self.accuracy(&self.test)?.0), (COMMONEST, self.baseline)])
    }
}
