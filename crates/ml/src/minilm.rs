//! Sentences as vectors by all-MiniLM-L6-v2 and models of its kind: a BERT, the mean over its
//! tokens, and unit length.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use serde_json::{Value, json};
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use crate::MlError;
use bert::Bert;
use config::Config;

/// The most tokens of a text that are read. The model was trained on texts of at most 256.
const MOST_TOKENS: usize = 256;
/// The most texts that go through the model together; more do not make it faster.
const BATCH: usize = 64;

/// The parts of a tokenizer that a BERT has, and the kinds of each that are read. The library
/// panics on some others that are broken, and MiniLM has none of them.
const PARTS: [(&str, &[&str]); 3] = [
    ("normalizer", &["BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"]),
    ("pre_tokenizer", &["BertPreTokenizer", "Whitespace", "WhitespaceSplit"]),
    ("post_processor", &["TemplateProcessing", "BertProcessing"]),
];

/// Reads a `tokenizer.json`.
fn read_tokenizer(bytes: &[u8]) -> Result<Tokenizer, MlError> {
    let wrong = |reason: String| MlError::Tokenizer { reason };
    let mut read: Value = serde_json::from_slice(bytes).map_err(|e| wrong(e.to_string()))?;
    let parts = read.as_object_mut().ok_or_else(|| wrong("it is no object".into()))?;
    // Nothing is made text again.
    parts.shift_remove("decoder");
    for (name, known) in PARTS {
        let of = match parts.get(name) {
            None | Some(Value::Null) => continue,
            Some(part) => part["type"].as_str().unwrap_or_default(),
        };
        if !known.contains(&of) {
            let known = known.join(", ");
            return Err(wrong(format!("its {name} is {of:.40?}; expected one of {known}")));
        }
    }
    if parts.get("post_processor").is_some_and(|part| !part.is_null()) {
        let model = parts.get("model").unwrap_or(&Value::Null);
        let marks = marks(&model["vocab"]).map_err(wrong)?;
        parts.insert("post_processor".into(), marks);
    }
    Tokenizer::from_bytes(read.to_string()).map_err(|e| wrong(e.to_string()))
}

/// What puts a BERT's two marks around a text. It is made anew: the library believes what a file
/// says of it, and looks up marks that the file does not explain.
fn marks(vocabulary: &Value) -> Result<Value, String> {
    let id = |mark: &str| {
        let id = vocabulary[mark].as_u64();
        id.ok_or_else(|| format!("its vocabulary has no {mark:?}, which stands around each text"))
    };
    let special = |mark: &str| json!({"SpecialToken": {"id": mark, "type_id": 0}});
    let known = |mark: &str| -> Result<Value, String> {
        Ok(json!({"id": mark, "ids": [id(mark)?], "tokens": [mark]}))
    };
    let text = json!({"Sequence": {"id": "A", "type_id": 0}});
    let around = json!([special("[CLS]"), text, special("[SEP]")]);
    Ok(json!({
        "type": "TemplateProcessing", "single": around, "pair": around,
        "special_tokens": {"[CLS]": known("[CLS]")?, "[SEP]": known("[SEP]")?},
    }))
}

/// An encoder of sentences.
pub struct MiniLm {
    model: Bert,
    tokenizer: Tokenizer,
    n_dims: usize,
}

impl MiniLm {
    /// Makes the encoder of a `model.safetensors`, a `tokenizer.json` and a `config.json`.
    ///
    /// # Errors
    /// If one of them is not what it should be, or they do not fit each other.
    pub fn new(weights: Vec<u8>, tokenizer: &[u8], config: &[u8]) -> Result<Self, MlError> {
        let config = Config::read(config)?;
        let mut tokenizer = read_tokenizer(tokenizer)?;
        let truncation = TruncationParams {
            max_length: MOST_TOKENS.min(config.max_position_embeddings),
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| MlError::Tokenizer { reason: error.to_string() })?;
        // Texts are padded by batch, here, so that a text alone costs what it is long.
        tokenizer.with_padding(None);
        let n_words = tokenizer.get_vocab_size(true);
        if n_words > config.vocab_size {
            let reason = format!(
                "it has {n_words} pieces and the model knows {} of them",
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
        Ok(Self { model, tokenizer, n_dims })
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
        Ok(self.encode(text)?.get_ids().to_vec())
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
            let encoded: Vec<Encoding> =
                batch.iter().map(|text| self.encode(text)).collect::<Result<_, _>>()?;
            let vectors = self
                .forward(&encoded)
                .map_err(|error| MlError::Compute { reason: first_line(&error) })?;
            out.extend(vectors);
        }
        Ok(out)
    }

    fn encode(&self, text: &str) -> Result<Encoding, MlError> {
        self.tokenizer
            .encode(text, true)
            .map_err(|error| MlError::Tokenizer { reason: error.to_string() })
    }

    /// The mean over the tokens of each text, without those that only fill up the batch.
    fn forward(&self, batch: &[Encoding]) -> candle_core::Result<Vec<Vec<f32>>> {
        let longest = batch.iter().map(|e| e.get_ids().len()).max().unwrap_or(0);
        let mut ids = Vec::with_capacity(batch.len() * longest);
        let mut mask = Vec::with_capacity(batch.len() * longest);
        for encoding in batch {
            let n = encoding.get_ids().len();
            ids.extend_from_slice(encoding.get_ids());
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
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub(crate) mod weights;

#[cfg(test)]
mod tests;
