//! Folders in Hugging Face's form: `config.json`, `tokenizer.json`, `*.safetensors`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use gguf::{HuggingModel, HuggingTensor};
use safetensors::tensor::Metadata;
use serde_json::Value;

use crate::output::NewFile;
use crate::{input, limits};

/// Where the bytes of a tensor lie.
struct Place {
    file: usize,
    begin: u64,
    len: usize,
}

/// A folder whose files were found sound.
struct Folder {
    model: HuggingModel,
    files: Vec<BufReader<File>>,
    places: BTreeMap<String, Place>,
}

fn json(path: &Path) -> Result<Value> {
    let text = input::text(path, limits::HUGGING)?;
    serde_json::from_str(&text).with_context(|| format!("{}: is no JSON", path.display()))
}

fn json_if_any(path: &Path) -> Result<Value> {
    if path.exists() { json(path) } else { Ok(Value::Null) }
}

/// The files with the tensors: one, or those of an index.
fn weights(folder: &Path) -> Result<Vec<PathBuf>> {
    let one = folder.join("model.safetensors");
    if one.exists() {
        return Ok(vec![one]);
    }
    let index = folder.join("model.safetensors.index.json");
    if !index.exists() {
        bail!(
            "{}: has neither model.safetensors nor model.safetensors.index.json; weights in other \
             files are not read",
            folder.display()
        );
    }
    let listed = json(&index)?;
    let map = listed["weight_map"].as_object();
    let map = map.with_context(|| format!("{}: has no \"weight_map\"", index.display()))?;
    let mut names: Vec<&str> = map.values().filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    // An index must not lead out of its folder.
    if let Some(name) = names.iter().find(|name| Path::new(name).file_name() != Some(name.as_ref()))
    {
        bail!("{}: names {name:?}, which is no file of the folder", index.display());
    }
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}

impl Folder {
    fn open(folder: &Path) -> Result<Self> {
        let at = |name: &str| folder.join(name);
        let template = at("chat_template.jinja");
        let chat_template =
            template.exists().then(|| input::text(&template, limits::HUGGING)).transpose()?;
        let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut model = HuggingModel {
            name: name.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            config: json(&at("config.json"))?,
            tokenizer: json(&at("tokenizer.json"))?,
            tokenizer_config: json_if_any(&at("tokenizer_config.json"))?,
            chat_template,
            tensors: Vec::new(),
        };
        let (mut files, mut places) = (Vec::new(), BTreeMap::new());
        for (number, path) in weights(folder)?.into_iter().enumerate() {
            let place = || path.display().to_string();
            let mut file = input::file(&path)?;
            let n_bytes = file.get_ref().metadata().with_context(place)?.len();
            let mut head = vec![0; 8];
            file.read_exact(&mut head).with_context(place)?;
            let n = u64::from_le_bytes(head[..8].try_into().unwrap_or_default());
            if n > (limits::HUGGING as u64).min(n_bytes.saturating_sub(8)) {
                bail!(
                    "{}: is no file of the form safetensors: its head would have {n} bytes",
                    place()
                );
            }
            head.resize(8 + n as usize, 0);
            file.read_exact(&mut head[8..]).with_context(place)?;
            let about: Metadata = serde_json::from_slice(&head[8..])
                .with_context(|| format!("{}: is no file of the form safetensors", place()))?;
            let mut all: Vec<_> = about.tensors().into_iter().collect();
            all.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (name, tensor) in all {
                let (begin, end) = tensor.data_offsets;
                if 8 + n + end as u64 > n_bytes {
                    bail!("{}: ends within tensor {name:?}", place());
                }
                model.tensors.push(HuggingTensor {
                    name: name.clone(),
                    kind: format!("{:?}", tensor.dtype),
                    shape: tensor.shape.clone(),
                });
                let place = Place { file: number, begin: 8 + n + begin as u64, len: end - begin };
                places.insert(name, place);
            }
            files.push(file);
        }
        Ok(Self { model, files, places })
    }

    fn convert(&mut self, out: &mut NewFile) -> Result<()> {
        let (files, places) = (&mut self.files, &self.places);
        let read = |name: &str| {
            let place = places.get(name).ok_or(io::ErrorKind::NotFound)?;
            let file = &mut files[place.file];
            file.seek(SeekFrom::Start(place.begin))?;
            let mut bytes = vec![0; place.len];
            file.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        Ok(gguf::convert(&self.model, read, out)?)
    }
}

/// Writes a folder's model as a GGUF file, with its numbers as they are stored.
pub fn convert(folder: &Path, out: &Path) -> Result<()> {
    let mut opened = Folder::open(folder)?;
    let mut file = NewFile::create(out)?;
    opened.convert(&mut file).with_context(|| folder.display().to_string())?;
    file.finish()
}
