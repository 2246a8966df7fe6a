//! Files to begin with, where they are.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

/// The most files that a folder gives.
const MAX_FILES: usize = 400;
/// The most bytes of a file that are looked at, unpacked.
const MAX_BYTES: u64 = 2_000_000;

/// Where files are.
pub struct Places {
    /// The project.
    root: PathBuf,
    /// Data of others, which may not be there.
    shared: PathBuf,
}

impl Places {
    /// The project that this was built in, and what is beside it.
    pub fn here() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let shared = std::env::var_os("GRAPHGROUND_SHARED")
            .map_or_else(|| root.join("../shared"), PathBuf::from);
        Self { root, shared }
    }

    /// Files of the project below a folder, by the ending of their names.
    pub fn files(&self, folder: &str, ending: &str) -> Vec<Vec<u8>> {
        below(&self.root.join(folder), ending).iter().map(|p| bytes(p)).collect()
    }

    /// Files of others below a folder, by the ending of their names.
    pub fn others(&self, folder: &str, ending: &str) -> Vec<Vec<u8>> {
        below(&self.shared.join("data").join(folder), ending).iter().map(|p| bytes(p)).collect()
    }

    /// The first lines of files of others, `n` at a time.
    pub fn lines(&self, folder: &str, ending: &str, n: usize) -> Vec<Vec<u8>> {
        let mut seeds = Vec::new();
        for file in self.others(folder, ending) {
            let lines: Vec<&[u8]> = file.split_inclusive(|b| *b == b'\n').take(20 * n).collect();
            seeds.extend(lines.chunks(n).map(|some| some.concat()));
        }
        seeds
    }
}

fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.map(|e| e.path()));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found.truncate(MAX_FILES);
    found
}

/// The beginning of a file, unpacked; nothing where it cannot be read.
fn bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Ok(file) = std::fs::File::open(path) else { return bytes };
    let is_packed = path.extension().is_some_and(|e| e == "gz");
    let read = if is_packed {
        GzDecoder::new(file).take(MAX_BYTES).read_to_end(&mut bytes)
    } else {
        file.take(MAX_BYTES).read_to_end(&mut bytes)
    };
    // What came before a fault is a seed too.
    let _ = read;
    bytes
}
