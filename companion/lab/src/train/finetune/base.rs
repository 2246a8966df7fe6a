//! What is fine-tuned: a file of the form GGUF, or our own model's.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use gguf::{Draw, File, LocalOptions, Stored};
use llm::Model;
use ownmodel::file::{Numbers, write};
use ownmodel::{OwnModel, OwnNetwork, OwnOptions};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::adapters::Adapters;
use super::data::Line;
use super::network::Network;
use super::own::{self, Own};
use super::wording::Wording;
use super::{Base, Example};
use companion::output::NewFile;
use companion::{gguf_models, hugging, input, own_model};

/// A base.
pub(crate) struct Given {
    path: PathBuf,
    /// Its name for people.
    pub(crate) name: String,
    /// The SHA-256 of its file.
    pub(crate) sha256: [u8; 32],
    kind: Kind,
}

enum Kind {
    File {
        file: Box<File<BufReader<fs::File>>>,
        wording: Box<Wording>,
        network: Option<Box<Network>>,
    },
    Own {
        own: Box<Own>,
        bytes: Vec<u8>,
    },
}

/// A file that was written.
pub(crate) struct Exported {
    pub(crate) n_bytes: u64,
    pub(crate) sha256: [u8; 32],
}

fn hash(path: &Path) -> Result<[u8; 32]> {
    let mut reader = input::file(path)?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let n = reader.read(&mut piece).with_context(|| path.display().to_string())?;
        if n == 0 {
            return Ok(hash.finalize().into());
        }
        hash.update(&piece[..n]);
    }
}

/// Opens the base of a name, as `local:` takes names, or of a path; weights of GGUF files are not read
/// yet. A folder in Hugging Face's form is made a GGUF file at `converted` first.
pub(crate) fn open(name: &str, converted: &Path) -> Result<Given> {
    let name = name.strip_prefix(gguf_models::PREFIX).unwrap_or(name);
    if own_model::is_own(name) {
        let bytes = own_model::bytes(name)?;
        let own = Own::read(&bytes).with_context(|| name.to_owned())?;
        return Ok(Given {
            path: PathBuf::from(name),
            name: "our own small model".to_owned(),
            sha256: Sha256::digest(&bytes).into(),
            kind: Kind::Own { own: Box::new(own), bytes },
        });
    }
    let path = if Path::new(name).is_dir() {
        hugging::convert(Path::new(name), converted)?;
        converted.to_owned()
    } else {
        gguf_models::path_of(name)?
    };
    let place = || path.display().to_string();
    let file = File::over(input::file(&path)?).with_context(place)?;
    let wording = Wording::of(&file).with_context(place)?;
    let title = file.summary().name.clone();
    let sha256 = hash(&path)?;
    let kind = Kind::File { file: Box::new(file), wording: Box::new(wording), network: None };
    Ok(Given { path, name: title, sha256, kind })
}

impl Given {
    /// A line as this base reads it.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
    pub(crate) fn example(&self, line: &Line, most: usize) -> std::result::Result<Example, String> {
        let example = match &self.kind {
            Kind::File { wording, .. } => wording.example(line)?,
            Kind::Own { .. } => own::example(line)?,
        };
        match example.tokens.len() {
            n if n > most => Err(format!(
                "it has {n} tokens; {most} are the most (--set length={n} takes it, if memory does)"
            )),
            _ if example.n_own() == 0 => Err("nothing of it is to be learned".to_owned()),
            _ => Ok(example),
        }
    }

    /// Whether tools are put into words, because the chat template has no place for them.
    pub(crate) fn describes_tools(&self) -> bool {
        matches!(&self.kind, Kind::File { wording, .. } if !wording.knows_tools())
    }

    /// The most tokens of a text that the base was trained for.
    pub(crate) fn n_ctx(&self) -> usize {
        match &self.kind {
            Kind::File { file, .. } => file.summary().n_ctx_trained,
            Kind::Own { .. } => codec_window(),
        }
    }

    /// Reads the weights, if they are not there yet.
    pub(crate) fn base(&mut self) -> Result<&dyn Base> {
        match &mut self.kind {
            Kind::Own { own, .. } => Ok(&**own),
            Kind::File { file, network, .. } => {
                if network.is_none() {
                    *network = Some(Box::new(Network::load(file)?));
                }
                let network = network.as_deref().context("internal error: no network")?;
                Ok(network)
            }
        }
    }

    /// The ending of what is written.
    pub(crate) fn ending(&self) -> &'static str {
        match &self.kind {
            Kind::File { .. } => "gguf",
            Kind::Own { .. } => "bin",
        }
    }

    /// The base as a model that can be asked, with the likeliest token each time.
    pub(crate) fn model(&self, n_ctx: usize) -> Result<Box<dyn Model>> {
        match &self.kind {
            Kind::Own { bytes, .. } => Ok(Box::new(OwnModel::load(bytes, OwnOptions::default())?)),
            Kind::File { .. } => asked(&self.path, n_ctx),
        }
    }

    /// What was exported as a model that can be asked.
    pub(crate) fn exported_model(&self, path: &Path, n_ctx: usize) -> Result<Box<dyn Model>> {
        match &self.kind {
            Kind::Own { .. } => Ok(Box::new(own_model::load(&path.to_string_lossy())?)),
            Kind::File { .. } => asked(path, n_ctx),
        }
    }

    /// Writes the base with what was learned merged into it.
    pub(crate) fn export(
        &mut self,
        adapters: &Adapters,
        learned: &[f32],
        stored: Stored,
        about: &serde_json::Value,
        path: &Path,
    ) -> Result<Exported> {
        self.base()?;
        let mut out = NewFile::create(path)?;
        match &mut self.kind {
            Kind::Own { own, .. } => {
                let weights = own.merged(adapters, learned);
                let network = OwnNetwork::new(*own.network.config(), weights)
                    .context("internal error: the weights do not fit their sizes")?;
                let mut told = own.head.about.clone();
                told.insert("fine-tuned".to_owned(), json!(about));
                let numbers = match stored {
                    Stored::F32 => Numbers::F32,
                    Stored::F16 => Numbers::F16,
                    Stored::Q8_0 => Numbers::I8,
                };
                out.write_all(&write(&network, numbers, &told))?;
            }
            Kind::File { file, network, .. } => {
                let network = network.as_deref().context("internal error: no network")?;
                let mut changed = BTreeMap::new();
                for (i, place) in adapters.places.iter().enumerate() {
                    let mut weights = network.matrix(i)?;
                    adapters.merge(i, learned, &mut weights);
                    changed.insert(place.name.clone(), weights);
                }
                file.rewrite(&changed, stored, &mut out)?;
            }
        }
        out.finish()?;
        let n_bytes = fs::metadata(path).with_context(|| path.display().to_string())?.len();
        Ok(Exported { n_bytes, sha256: hash(path)? })
    }
}

fn codec_window() -> usize {
    ownmodel::codec::WINDOW
}

fn asked(path: &Path, n_ctx: usize) -> Result<Box<dyn Model>> {
    let options = LocalOptions {
        n_ctx,
        draw: Draw::LIKELIEST,
        describes_tools: true,
        ..LocalOptions::default()
    };
    Ok(Box::new(gguf_models::load(path, options)?))
}
