//! Which target is fuzzed.

use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use fuzz::Target;
use libfuzzer_sys::fuzz_target;

/// The index of the target in the list.
static CHOSEN: OnceLock<usize> = OnceLock::new();

thread_local! {
    static TARGETS: Vec<Target> = fuzz::targets();
}

/// Says what there is, or writes seeds, where that is asked for; else finds the target.
fn start() {
    let say = |text: &str| {
        let _ = writeln!(std::io::stdout(), "{text}");
    };
    if std::env::var_os("FUZZ_LIST").is_some() {
        TARGETS.with(|all| all.iter().for_each(|t| say(&format!("{} {}", t.name, t.max_len))));
        std::process::exit(0);
    }
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.with(|all| all.iter().position(|t| t.name == name));
    let Some(found) = found else {
        say(&format!("FUZZ_TARGET is {name:?}, which is no target; FUZZ_LIST=1 lists them"));
        std::process::exit(2);
    };
    if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
        let written = TARGETS.with(|all| fuzz::write_seeds(&all[found], Path::new(&folder)));
        match written {
            Ok(_) => std::process::exit(0),
            Err(error) => {
                say(&format!("the seeds of {name} cannot be written: {error}"));
                std::process::exit(2);
            }
        }
    }
    let _ = CHOSEN.set(found);
}

fuzz_target!(init: start(), |data: &[u8]| {
    TARGETS.with(|all| (all[*CHOSEN.get().unwrap_or(&0)].run)(data));
});
