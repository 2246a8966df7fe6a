//! Sentences as vectors by all-MiniLM-L6-v2 and models of its kind: a BERT, the mean over its
//! tokens, and unit length.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;

use crate::MlError;
use bert::Bert;
use config::Config;
use pieces::Pieces;

/// The most tokens of a text that are read. The model was trained on texts of at most 256.
const MOST_TOKENS: usize = 256;
/// The most texts that go through the model together; more do not make it faster.
const BATCH: usize = 64;

/// An encoder of sentences.
pub struct MiniLm {
    model: Bert,
    pieces: Pieces,
    n_dims: usize,
}

impl MiniLm {
    /// Makes the encoder of a `model.safetensors`, a `tokenizer.json` and a `config.json`.
    ///
    /// # Errors
    /// If one of them is not what it should be, or they do not fit each other.
    pub fn new(weights: Vec<u8>, tokenizer: &[u8], config: &[u8]) -> Result<Self, MlError> {
        let config = Config::read(config)?;
        let most = MOST_TOKENS.min(config.max_position_embeddings);
        let pieces =
            Pieces::read(tokenizer, most).map_err(|reason| MlError::Tokenizer { reason })?;
        let n_pieces = pieces.len();
        if n_pieces > config.vocab_size {
            let reason = format!(
                "it has {n_pieces} pieces and the model knows {} of them",
                config.vocab_size
            );
            return Err(MlError::Tokenizer { reason });
        }
        weights::check(&weights).map_err(|reason| MlError::Weights { reason })?;
        let misfit = |error: candle_core::Error| MlError::Weights { reason: first_line(&error) };
        let vars = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)
            .map_err(misfit)?;
        let n_dims = config.hidden_size;
        let model = Bert::load(&config, &vars).map_err(misfit)?;
        Ok(Self { model, pieces, n_dims })
    }

    /// How many numbers a vector has.
    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// The numbers of the pieces that a text is read as, with the marks for its beginning and end.
    ///
    /// # Errors
    /// If the tokenizer cannot read the text.
    pub fn pieces(&self, text: &str) -> Result<Vec<u32>, MlError> {
        self.pieces.of(text).map_err(|reason| MlError::Tokenizer { reason })
    }

    /// The vector of a text, of length one.
    ///
    /// # Errors
    /// If the model does not compute.
    pub fn vector(&self, text: &str) -> Result<Vec<f32>, MlError> {
        Ok(self.vectors(&[text])?.pop().unwrap_or_else(|| vec![0.0; self.n_dims]))
    }

    /// The vectors of texts, in their order, each of length one.
    ///
    /// # Errors
    /// If the model does not compute.
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, MlError> {
        let mut out = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let read: Vec<Vec<u32>> =
                batch.iter().map(|text| self.pieces(text)).collect::<Result<_, _>>()?;
            let vectors = self
                .forward(&read)
                .map_err(|error| MlError::Compute { reason: first_line(&error) })?;
            out.extend(vectors);
        }
        Ok(out)
    }

    /// The mean over the tokens of each text, without those that only fill up the batch.
    fn forward(&self, batch: &[Vec<u32>]) -> candle_core::Result<Vec<Vec<f32>>> {
        let longest = batch.iter().map(Vec::len).max().unwrap_or(0);
        let mut ids = Vec::with_capacity(batch.len() * longest);
        let mut mask = Vec::with_capacity(batch.len() * longest);
        for pieces in batch {
            let n = pieces.len();
            // Texts are filled up by batch, so that a text alone costs what it is long.
            ids.extend_from_slice(pieces);
            ids.resize(ids.len() + longest - n, 0);
            mask.resize(mask.len() + n, 1_f32);
            mask.resize(mask.len() + longest - n, 0.0);
        }
        let shape = (batch.len(), longest);
        let ids = Tensor::from_vec(ids, shape, &Device::Cpu)?;
        let mask = Tensor::from_vec(mask, shape, &Device::Cpu)?;
        let tokens = self.model.forward(&ids, &mask)?;
        let mask = mask.unsqueeze(2)?;
        let means = tokens.broadcast_mul(&mask)?.sum(1)?.broadcast_div(&mask.sum(1)?)?;
        let lengths = means.sqr()?.sum_keepdim(1)?.sqrt()?;
        means.broadcast_div(&lengths)?.to_vec2()
    }
}

/// Candle appends where it was; the first line says what was wrong.
fn first_line(error: &candle_core::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

impl text::Embed for MiniLm {
    fn label(&self) -> String {
        "MiniLM".into()
    }

    fn threshold(&self) -> f32 {
        0.75
    }

    /// A text that the model cannot compute says nothing.
    fn embed(&self, text: &str) -> Vec<f32> {
        self.vector(text).unwrap_or_else(|_| vec![0.0; self.n_dims])
    }

    fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        self.vectors(texts).unwrap_or_else(|_| texts.iter().map(|t| self.embed(t)).collect())
    }
}

mod bert;
mod config;
#[doc(hidden)]
pub mod fixture;
mod pieces;
pub(crate) mod weights;

#[cfg(test)]
mod tests;
