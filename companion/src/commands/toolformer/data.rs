//! What a person hands over: data, models, and a folder of files.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, bail};
use graph::formats;
use systems::toolformer::Hubs;
use systems::toolformer::data::Data;
use systems::toolformer::hubs::{DatasetKind, datasets};
use systems::toolformer::pack;

use super::folder::Folder;
use crate::{input, limits, output, packages};

/// What is handed over.
#[derive(Clone, clap::Args)]
pub struct Given {
    /// A data set that `data pack` wrote, as FILE; or a network under a name, as NAME=FILE, in any
    /// graph format. May be given several times.
    #[arg(long = "data", value_name = "[NAME=]FILE")]
    all: Vec<String>,
    /// A folder whose files calls may load by their path from it on, as in GL("roads.csv"). Without
    /// it no call loads a file: a model writes calls.
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// A trained model, as `train` writes it. May be given several times. Its data are taken out of
    /// the cache, unless they are handed over.
    #[arg(long = "weights", value_name = "FILE.safetensors")]
    weights: Vec<PathBuf>,
}

impl Given {
    /// As `bench` takes them.
    pub(crate) fn as_words(&self) -> Vec<String> {
        let words = self.all.iter().flat_map(|data| ["--data".to_owned(), data.clone()]);
        let files = self.files.iter();
        let words =
            words.chain(files.flat_map(|f| ["--files".to_owned(), f.display().to_string()]));
        let words = {
            let paths = self.weights.iter().map(|path| path.display().to_string());
            words.chain(paths.flat_map(|path| ["--weights".to_owned(), path]))
        };
        words.collect()
    }

    /// The hubs with what was handed over.
    pub fn hubs(&self) -> anyhow::Result<Hubs> {
        let mut hubs = Hubs::new()?;
        for given in &self.all {
            let (name, path) = match given.split_once('=') {
                Some((name, path)) if !name.is_empty() && !path.is_empty() => (Some(name), path),
                Some(_) => {
                    bail!("--data {given:?}: expected FILE, or NAME=FILE as in twitter=links.csv")
                }
                None => (None, given.as_str()),
            };
            let text = input::text(Path::new(path), limits::TEXT)?;
            if text.starts_with("{\"format\":\"graphground-data\"") {
                let (head, data) = pack::read(&text).with_context(|| path.to_owned())?;
                hubs = hubs.with_data(name.unwrap_or(&head.name), head.kind, data);
                continue;
            }
            let Some(name) = name else {
                bail!(
                    "--data {given:?}: this is no file of `graphground data pack`; a network needs a \
                     name, as in twitter={given}"
                );
            };
            let (_, read) = formats::open(&text)
                .with_context(|| format!("{path}: cannot be read as a graph"))?;
            for note in read.notes.lines() {
                output::complain(&format!("{path}: {note}"));
            }
            let graph = read.graph;
            let kind = datasets::find(name).map_or(DatasetKind::Properties, |d| d.kind);
            hubs = hubs.with_data(name, kind, Data::network(graph));
        }
        if let Some(folder) = &self.files {
            hubs = hubs.with_files(Rc::new(Folder::open(folder)?));
        }
        for path in &self.weights {
            hubs = with_model(hubs, path)?;
        }
        Ok(hubs)
    }
}

/// The hubs with a trained model, and with its data if the cache has them.
fn with_model(hubs: Hubs, path: &Path) -> anyhow::Result<Hubs> {
    let place = || path.display().to_string();
    let bytes = input::bytes(path, ml::weights::MAX_BYTES)?;
    let (name, dataset, model) = backends::trained::read(&bytes).with_context(place)?;
    let hubs = hubs.with_model_of(name, &dataset, model)?;
    if hubs.data(&dataset).is_ok() {
        return Ok(hubs);
    }
    let kept = packages::data_set(&dataset, None)?;
    let read = || -> anyhow::Result<_> { Ok(pack::read(&input::text(&kept, limits::PACK)?)?) };
    match read() {
        Ok((head, data)) => Ok(hubs.with_data(&head.name, head.kind, data)),
        Err(_) => {
            output::complain(&format!(
                "{}: the data of {dataset:?} are not here; `graphground data fetch {dataset}`, or \
                 --data, brings them",
                place()
            ));
            Ok(hubs)
        }
    }
}
