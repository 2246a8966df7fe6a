//! The tensors of a file as candle's layers take them.

use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{DType, Device, Result, Shape, Tensor};
use candle_nn::var_builder::SimpleBackend;
use candle_nn::{Init, VarBuilder};
use serde::de::DeserializeOwned;

use super::{FileError, ModelFile};

/// Makes what takes its tensors from a [`VarBuilder`], and holds the file against it: each tensor is
/// there, has the shape that is asked for, and none is left over.
///
/// # Errors
/// One of these is not so, or `load` fails otherwise.
pub fn load<T>(
    file: ModelFile,
    load: impl FnOnce(&VarBuilder<'static>) -> Result<T>,
) -> std::result::Result<T, FileError> {
    let shelf = Shelf(Arc::new(Mutex::new((file, None))));
    let vars = VarBuilder::from_backend(Box::new(shelf.clone()), DType::F32, Device::Cpu);
    let made = load(&vars);
    let mut inside = shelf.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = inside.1.take() {
        return Err(error);
    }
    let told = |e: candle_core::Error| {
        let reason = e.to_string().lines().next().unwrap_or_default().to_owned();
        FileError::Config { reason }
    };
    let made = made.map_err(told)?;
    inside.0.end()?;
    Ok(made)
}

/// What a file of a network holds: the data that it learned from, its config, if that is as it should
/// be, and the network.
pub(crate) fn open<C: DeserializeOwned, T>(
    file: ModelFile,
    name: &'static str,
    check: impl FnOnce(&C) -> std::result::Result<(), FileError>,
    net: impl FnOnce(&C, &VarBuilder<'static>) -> Result<T>,
) -> std::result::Result<(String, C, T), FileError> {
    let config: C = file.config(name)?;
    check(&config)?;
    let dataset = file.head.dataset.clone();
    let net = load(file, |vars| net(&config, vars))?;
    Ok((dataset, config, net))
}

#[derive(Clone)]
struct Shelf(Arc<Mutex<(ModelFile, Option<FileError>)>>);

impl SimpleBackend for Shelf {
    fn get(&self, shape: Shape, name: &str, _: Init, _: DType, to: &Device) -> Result<Tensor> {
        // What another thread took is taken whole.
        let mut inside = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match inside.0.take(name, shape.dims()) {
            Ok(data) => Tensor::from_vec(data, shape, to),
            Err(error) => {
                let told = error.to_string();
                inside.1.get_or_insert(error);
                candle_core::bail!("{told}")
            }
        }
    }

    fn get_unchecked(&self, name: &str, _: DType, _: &Device) -> Result<Tensor> {
        candle_core::bail!("{name} was asked for without a shape")
    }

    fn contains_tensor(&self, name: &str) -> bool {
        let inside = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inside.0.tensors.contains_key(name)
    }
}
