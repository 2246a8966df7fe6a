//! Compressed copies beside files, for servers that send those.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use flate2::{Compression, write::GzEncoder};

/// Smaller files are sent in one packet whatever is done to them.
const MIN_BYTES: u64 = 1_000;
/// Of brotli's 11 levels: the two above take ten times as long for the last 3 %.
const LEVEL: i32 = 9;

/// Text in gzip, as small as it gets.
pub fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    Ok(out.finish()?)
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams { quality: LEVEL, ..Default::default() };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
    Ok(out)
}

fn with(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Writes `NAME.gz` and `NAME.br` beside every file of a folder that gets smaller by it.
pub fn run(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let next = std::sync::Mutex::new(files.iter());
    let sizes = std::thread::scope(|scope| {
        let work = || -> Result<(u64, u64, u64)> {
            let mut sizes = (0, 0, 0);
            loop {
                let Some(path) = next.lock().map_err(|_| anyhow!("a thread broke"))?.next() else {
                    return Ok(sizes);
                };
                let bytes = fs::read(path)?;
                let (gz, br) = (gzip(&bytes)?, brotli(&bytes)?);
                for (ending, packed) in [(".gz", &gz), (".br", &br)] {
                    if packed.len() < bytes.len() {
                        let to = with(path, ending);
                        fs::write(&to, packed)
                            .with_context(|| format!("cannot write {}", to.display()))?;
                    }
                }
                sizes.0 += bytes.len() as u64;
                sizes.1 += gz.len() as u64;
                sizes.2 += br.len() as u64;
            }
        };
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        let mut sum = (0, 0, 0);
        for thread in threads {
            let part = thread.join().map_err(|_| anyhow!("a thread broke"))??;
            sum = (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2);
        }
        Ok::<_, anyhow::Error>(sum)
    })?;
    let kb = |n: u64| n as f64 / 1e3;
    println!(
        "{} files packed: {:.0} KB; gzip {:.0} KB, brotli {:.0} KB",
        files.len(),
        kb(sizes.0),
        kb(sizes.1),
        kb(sizes.2)
    );
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
            continue;
        }
        let is_text = matches!(
            path.extension().and_then(|e| e.to_str()),
            Some("html" | "css" | "js" | "json" | "jsonl" | "md" | "svg" | "wasm" | "bin")
        );
        if is_text && fs::metadata(&path)?.len() >= MIN_BYTES {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn what_is_compressed_comes_out_again() {
        let folder =
            std::env::temp_dir().join(format!("graphground-packed-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let text = "a line of text\n".repeat(500);
        let file = folder.join("inner/page.js");
        fs::write(&file, &text).unwrap();
        fs::write(folder.join("small.js"), "1").unwrap();
        run(&folder).unwrap();
        assert!(!folder.join("small.js.gz").exists());
        let mut out = String::new();
        let gz = fs::read(with(&file, ".gz")).unwrap();
        flate2::read::GzDecoder::new(&gz[..]).read_to_string(&mut out).unwrap();
        assert_eq!(out, text);
        let mut out = Vec::new();
        let br = fs::read(with(&file, ".br")).unwrap();
        brotli::BrotliDecompress(&mut &br[..], &mut out).unwrap();
        assert_eq!(out, text.as_bytes());
        fs::remove_dir_all(folder).unwrap();
    }
}
