//! What is left out at random while a model is trained, so that it does not lean on single numbers.

use candle_core::{Result, Tensor};

use crate::MlError;

/// Where numbers may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropoutPlace {
    /// What a token is.
    Hidden,
    /// What a token heeds of another.
    Attention,
}

/// Says what is left out. The random numbers are the caller's, who can begin them again.
pub trait DropoutMask {
    /// What each of `n` numbers is multiplied by; `None` leaves them as they are.
    fn factors(&mut self, place: DropoutPlace, n: usize) -> Option<Vec<f32>>;
}

/// Leaves nothing out: for answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDropout;

impl DropoutMask for NoDropout {
    fn factors(&mut self, _place: DropoutPlace, _n: usize) -> Option<Vec<f32>> {
        None
    }
}

/// Leaves out numbers by chance, and makes the others greater so that the mean stays.
#[derive(Clone, Debug)]
pub struct Dropout<F> {
    hidden: f64,
    attention: f64,
    draw: F,
}

impl<F: FnMut() -> u32> Dropout<F> {
    /// With the shares that are left out, and what draws numbers, one for each factor.
    ///
    /// # Errors
    /// If a share is not from 0 to below 1.
    pub fn new(hidden: f64, attention: f64, draw: F) -> std::result::Result<Self, MlError> {
        for (what, share) in [("hidden", hidden), ("attention", attention)] {
            if !(0.0..1.0).contains(&share) {
                return Err(MlError::Dropout { what, share });
            }
        }
        Ok(Self { hidden, attention, draw })
    }
}

impl<F: FnMut() -> u32> DropoutMask for Dropout<F> {
    fn factors(&mut self, place: DropoutPlace, n: usize) -> Option<Vec<f32>> {
        let share = match place {
            DropoutPlace::Hidden => self.hidden,
            DropoutPlace::Attention => self.attention,
        };
        if share == 0.0 {
            return None;
        }
        let below = share * 2_f64.powi(32);
        let kept = (1.0 / (1.0 - share)) as f32;
        Some((0..n).map(|_| if f64::from((self.draw)()) < below { 0.0 } else { kept }).collect())
    }
}

/// `x` with what the noise leaves out.
///
/// # Errors
/// If the noise gives another count of factors than it was asked for.
pub fn dropped(x: Tensor, place: DropoutPlace, noise: &mut dyn DropoutMask) -> Result<Tensor> {
    match noise.factors(place, x.elem_count()) {
        None => Ok(x),
        Some(factors) => {
            let factors = Tensor::from_vec(factors, x.shape(), x.device())?;
            x.mul(&factors.to_dtype(x.dtype())?)
        }
    }
}
