#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod calls;
pub mod codec;
mod edges;
mod error;
pub mod file;
mod forms;
mod grammar;
mod look;
mod model;
mod names;
pub use names::FIRST_NAMED;
mod network;
mod places;
mod shape;
pub mod text;
mod vocabulary;

pub use decoding::{Beat, Draw, LikelyToken, RunStats, likeliest};
pub use error::OwnError;
pub use look::{Look, LookedPair, LookedToken};
pub use model::{Answering, Generation, LABEL, OwnModel, OwnOptions};
pub use network::{Cache, OwnNetwork, TINY};
pub use shape::{Angles, Config, LayerAt, Layout, Tensor};
pub use vocabulary::{
    FIRST_FUNCTION, N_NODES, N_NUMBERS, N_VOCAB, head, is_word, n_words, name_of, number_of,
    role_of, some_word,
};
