//! The model from outside: texts, files, answers.
#![allow(clippy::unwrap_used)]

mod answers;
mod codec;
mod hostile;
mod oracle;

use ownmodel::file::{Numbers, write};
use ownmodel::{Config, OwnModel, OwnNetwork, OwnOptions};
use serde_json::Map;

/// Sizes of a small network.
pub(crate) const SMALL: Config =
    Config { width: 32, n_layers: 2, n_heads: 4, n_place_heads: 2, hidden: 40 };

/// Made-up weights, the same each time.
pub(crate) fn weights(config: &Config) -> Vec<f32> {
    let mut state = 12345_u64;
    (0..config.n_weights())
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 40) as f32 / 16_777_216.0 - 0.5) * 0.6
        })
        .collect()
}

/// A file with made-up weights.
pub(crate) fn file() -> Vec<u8> {
    let network = OwnNetwork::new(SMALL, weights(&SMALL)).unwrap();
    write(&network, Numbers::F32, &Map::new())
}

pub(crate) fn model(options: OwnOptions) -> OwnModel {
    OwnModel::load(&file(), options).unwrap()
}
