//! The keys that a command line names, which leave the environment before anything else begins.
//!
//! Every program of the same person, and so the Python of a model, can read the environment that a
//! program was started with for as long as it runs (`/proc/PID/environ`, `ps e`); what it removes
//! later is still there. So a program that finds a key replaces itself by one that was started
//! without it, and hands the key over through a pipe. On Linux others cannot read its memory either.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

use anyhow::{Context as _, Result};
use llm::{ApiKey, Scrub};

/// The options that name variables with keys.
const OPTIONS: [&str; 3] = ["--key-env", "--role-key-env", "--store-key-env"];
/// The variable that says where the keys of the program before are. No child gets it.
pub(crate) const HANDED: &str = "GRAPHGROUND_KEYS";

/// By the names of their variables.
static KEYS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
static SCRUB: LazyLock<Scrub> = LazyLock::new(|| Scrub::new(&all()));
static SAID: LazyLock<Scrub> = LazyLock::new(|| Scrub::whole(&all()));

fn all() -> Vec<ApiKey> {
    KEYS.get().into_iter().flatten().filter_map(|(_, key)| ApiKey::new(key)).collect()
}

/// Takes the keys that the words of a command line name out of the environment. Called before there
/// is another thread or an open file.
///
/// # Errors
/// The program cannot start itself again, or not read what the one before handed over.
pub fn take(words: &[OsString]) -> Result<()> {
    #[cfg(unix)]
    if let Some(place) = env::var_os(HANDED) {
        let keys = handed(&place).context("the keys cannot be read")?;
        protect();
        let _ = KEYS.set(keys);
        return Ok(());
    }
    let named =
        names(words).into_iter().filter_map(|name| Some((name.clone(), env::var(name).ok()?)));
    let _ = KEYS.set(named.collect());
    #[cfg(unix)]
    if KEYS.get().is_some_and(|keys| !keys.is_empty()) {
        use std::os::unix::process::CommandExt as _;
        let own = env::current_exe().context("cannot find where this program is")?;
        let mut command = Command::new(own);
        command.args(words);
        if let Some(name) = env::args_os().next() {
            command.arg0(name);
        }
        let _keys = hand_on(&mut command)?;
        return Err(command.exec()).context("cannot start without the keys in the environment");
    }
    Ok(())
}

/// The variables that a command line names.
fn names(words: &[OsString]) -> Vec<String> {
    let mut names = Vec::new();
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let value = OPTIONS.iter().find_map(|option| match word.strip_prefix(option)? {
            "" => words.next().map(|word| word.into_owned()),
            rest => rest.strip_prefix('=').map(str::to_owned),
        });
        // A role's is ROLE=NAME.
        names.extend(value.and_then(|value| value.rsplit('=').next().map(str::to_owned)));
    }
    names
}

/// The key in a variable that the command line names.
pub(crate) fn find(name: &str) -> Option<String> {
    KEYS.get().and_then(|keys| keys.get(name).cloned()).or_else(|| env::var(name).ok())
}

/// What takes the keys of the command line out of what is said to others. A password alone may be a
/// word of a query.
pub(crate) fn said() -> &'static Scrub {
    &SAID
}

/// What takes all keys of the command line out of texts.
pub(crate) fn scrub() -> &'static Scrub {
    &SCRUB
}

/// Hands the keys on to a program that takes this one's place. What is given is kept until then.
#[cfg(unix)]
pub(crate) fn hand_on(command: &mut Command) -> Result<Option<std::io::PipeReader>> {
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;
    let Some(keys) = KEYS.get().filter(|keys| !keys.is_empty()) else { return Ok(None) };
    let (reader, mut writer) = std::io::pipe()?;
    let text = serde_json::to_vec(keys)?;
    // A pipe takes so much before it is read.
    anyhow::ensure!(text.len() <= 4096, "the keys have {} bytes; 4096 are the most", text.len());
    writer.write_all(&text)?;
    rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::empty())?;
    for name in keys.keys() {
        command.env_remove(name);
    }
    command.env(HANDED, reader.as_raw_fd().to_string());
    Ok(Some(reader))
}

#[cfg(unix)]
fn handed(number: &std::ffi::OsStr) -> Result<BTreeMap<String, String>> {
    use std::io::Read as _;
    let number: u32 = number.to_str().unwrap_or_default().parse()?;
    let mut text = Vec::new();
    std::fs::File::open(format!("/dev/fd/{number}"))?.take(4096).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Keeps the memory of this process from others of the same person.
#[cfg(unix)]
fn protect() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // Where it cannot be done, the environment is without keys all the same.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_all_options_are_found() {
        let line = "bench --key-env A --role-key-env judge=B --role-key-env=tools=C --store-key-env=D --key-envy E";
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        assert_eq!(names(&words), ["A", "B", "C", "D"]);
    }
}
