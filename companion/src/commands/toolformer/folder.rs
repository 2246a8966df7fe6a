//! The folder whose files calls may load.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use systems::toolformer::files::{CallFiles, FileData, is_path, read};

use crate::{input, limits};

/// How many folders deep files are looked for, to tell a model of them.
const DEPTH: usize = 4;
/// The most entries that are looked at for that.
const ENTRIES: usize = 2_000;

/// A folder that a person opened to calls.
pub(super) struct Folder {
    /// Without links in it.
    root: PathBuf,
    kept: RefCell<Kept>,
}

/// What was read of late: calls name the same files again and again.
#[derive(Default)]
struct Kept {
    all: VecDeque<(PathBuf, usize, FileData)>,
    n_bytes: usize,
}

impl Folder {
    /// Opens a folder.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let place = || format!("--files {}", path.display());
        let root = path.canonicalize().with_context(place)?;
        if !root.is_dir() {
            bail!("{}: is no folder; give the folder that the files are in", place());
        }
        Ok(Self { root, kept: RefCell::default() })
    }

    /// The file at a path, with all links followed.
    fn find(&self, steps: &[&str]) -> Result<PathBuf, String> {
        let mut path = self.root.clone();
        path.extend(steps);
        let found = path.canonicalize().map_err(|_| {
            let near = self.paths(5);
            let near = if near.is_empty() { "no files".to_owned() } else { near.join(", ") };
            format!("the folder of --files has no such file; it has {near}")
        })?;
        // A link may lead anywhere.
        if !found.starts_with(&self.root) {
            return Err("it is a link that leads out of the folder of --files".to_owned());
        }
        // A pipe would wait for somebody to write to it.
        if !found.is_file() {
            return Err("it is no file; give a file of the folder of --files".to_owned());
        }
        Ok(found)
    }
}

impl CallFiles for Folder {
    fn load(&self, steps: &[&str]) -> Result<FileData, String> {
        let path = self.find(steps)?;
        let kept = self.kept.borrow();
        if let Some((_, _, data)) = kept.all.iter().find(|(at, ..)| *at == path) {
            return Ok(data.clone());
        }
        drop(kept);
        // Whoever wrote the call learns no path of this machine.
        let told = steps.join("/");
        let text = input::text(&path, limits::CALLED_FILE).map_err(|error| {
            let place = path.display().to_string();
            format!("{error:#}").replace(&format!("{place}: "), "").replace(&place, &told)
        })?;
        let data = read(&told, &text)?;
        let mut kept = self.kept.borrow_mut();
        kept.n_bytes += text.len();
        kept.all.push_back((path, text.len(), data.clone()));
        while kept.n_bytes > limits::CALLED_FILES {
            let Some((_, n, _)) = kept.all.pop_front() else { break };
            kept.n_bytes -= n;
        }
        Ok(data)
    }

    fn paths(&self, most: usize) -> Vec<String> {
        let mut found = Vec::new();
        let mut left = ENTRIES;
        collect(&self.root, "", DEPTH, &mut left, &mut found);
        found.sort_unstable();
        found.truncate(most);
        found
    }
}

/// The files below a folder whose names have the ending of a format; hidden ones and links are
/// passed over.
fn collect(at: &Path, before: &str, depth: usize, left: &mut usize, found: &mut Vec<String>) {
    let Ok(entries) = at.read_dir() else { return };
    // In the order of names, so that the same ones are told where there are too many.
    let mut entries: Vec<_> = entries.flatten().take(*left).collect();
    entries.sort_unstable_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let (Ok(name), Ok(of)) = (entry.file_name().into_string(), entry.file_type()) else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        if of.is_dir() && depth > 0 {
            collect(&entry.path(), &format!("{before}{name}/"), depth - 1, left, found);
        } else if of.is_file() && is_path(&name) {
            found.push(format!("{before}{name}"));
        }
    }
}
