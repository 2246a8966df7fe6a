//! Networks that a person hands over.

use std::path::Path;

use anyhow::{Context as _, bail};
use graph::formats;
use systems::toolformer::Hubs;
use systems::toolformer::data::Data;
use systems::toolformer::hubs::{Kind, datasets};

use crate::input;

/// The most bytes of a file.
const MAX_FILE: usize = 200_000_000;

/// What is handed over.
#[derive(clap::Args)]
pub(in crate::commands) struct Given {
    /// A network under a name, NAME=FILE, in any graph format; may be given several times.
    #[arg(long = "data", value_name = "NAME=FILE")]
    all: Vec<String>,
}

impl Given {
    /// The hubs with what was handed over.
    pub(in crate::commands) fn hubs(&self) -> anyhow::Result<Hubs> {
        let mut hubs = Hubs::new()?;
        for given in &self.all {
            let Some((name, path)) =
                given.split_once('=').filter(|(n, p)| !n.is_empty() && !p.is_empty())
            else {
                bail!("--data {given:?}: NAME=FILE was expected, as in twitter=links.csv");
            };
            let text = input::text(Path::new(path), MAX_FILE)?;
            let graph = (formats::sniff(&text).parse)(&text)
                .with_context(|| format!("{path}: cannot be read as a graph"))?;
            let kind = datasets::find(name).map_or(Kind::Properties, |d| d.kind);
            hubs = hubs.with_data(name, kind, Data::network(graph));
        }
        Ok(hubs)
    }
}
