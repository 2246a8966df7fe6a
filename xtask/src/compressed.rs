//! Compressed copies beside files, as `cargo xtask dist` writes them for servers that send those.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use flate2::{Compression, write::GzEncoder};

/// Text in gzip, as small as it gets.
pub fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    Ok(out.finish()?)
}

/// Whether a file is the compressed copy of another; data in gzip is not.
pub fn is_copy(path: &Path) -> bool {
    let is_compressed = path.extension().is_some_and(|e| e == "gz" || e == "br");
    is_compressed && path.with_extension("").is_file()
}

/// Removes the compressed copies from a folder.
pub fn remove(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove(&path)?;
        } else if is_copy(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// The file to send for one, with the name of its encoding, by what a browser takes.
pub fn chosen(file: &Path, accepted: &str) -> (PathBuf, Option<&'static str>) {
    let takes = |name: &str| {
        accepted.split(',').any(|part| {
            let (coding, weight) = part.split_once(';').unwrap_or((part, ""));
            coding.trim() == name && weight.trim() != "q=0"
        })
    };
    for (name, ending) in [("br", ".br"), ("gzip", ".gz")] {
        let mut copy = file.as_os_str().to_owned();
        copy.push(ending);
        let copy = PathBuf::from(copy);
        if takes(name) && copy.is_file() {
            return (copy, Some(name));
        }
    }
    (file.to_owned(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_sent_to_a_browser_that_takes_it() {
        let folder =
            std::env::temp_dir().join(format!("graphground-compressed-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let file = folder.join("inner/page.js");
        let copies = ["inner/page.js.gz", "inner/page.js.br"].map(|name| folder.join(name));
        for path in [&file, &copies[0], &copies[1], &folder.join("data.jsonl.gz")] {
            fs::write(path, "text").unwrap();
        }
        assert_eq!(chosen(&file, "gzip, deflate, br"), (copies[1].clone(), Some("br")));
        assert_eq!(chosen(&file, "gzip, br;q=0"), (copies[0].clone(), Some("gzip")));
        assert_eq!(chosen(&file, "identity"), (file.clone(), None));
        assert!(is_copy(&copies[0]) && !is_copy(&file));
        remove(&folder).unwrap();
        assert!(file.is_file() && !copies[0].exists() && !copies[1].exists());
        assert!(folder.join("data.jsonl.gz").is_file(), "data in gzip is no copy");
        fs::remove_dir_all(folder).unwrap();
    }
}
