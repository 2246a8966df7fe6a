//! Which compiler builds the WebAssembly, and how to call it.

use std::path::PathBuf;
use std::process::Command;

use crate::steps::{output, root};

/// The one target of the page.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// A compiler that can build for wasm32.
pub enum Toolchain {
    /// The usual way: the active toolchain has the target's standard library.
    Rustup,
    /// Debian's compiler with its own copy of the standard library's source, which cargo builds.
    Debian {
        /// A linker for WebAssembly; Debian's compiler has none of its own.
        lld: PathBuf,
    },
}

impl Toolchain {
    /// The usual way, if it is there.
    pub fn rustup() -> Option<Self> {
        let libdir =
            output(Command::new(rustc()).args(["--print", "target-libdir", "--target", TARGET]))?;
        let has_std = std::fs::read_dir(libdir)
            .ok()?
            .flatten()
            .any(|f| f.file_name().to_string_lossy().starts_with("libstd-"));
        has_std.then_some(Self::Rustup)
    }

    /// Debian's packages, if they are there.
    pub fn debian() -> Option<Self> {
        let version = output(Command::new("/usr/bin/rustc").arg("--version"))?;
        let minor: u32 = version.split('.').nth(1)?.parse().ok()?;
        let source = std::path::Path::new("/usr/lib/rustlib/src/rust/library/std");
        if minor < 88 || !source.exists() || !std::path::Path::new("/usr/bin/cargo").exists() {
            return None;
        }
        Some(Self::Debian { lld: wasm_linker()? })
    }

    /// A cargo command for the wasm32 target, its output in a target folder of its own.
    pub fn cargo_build(&self) -> Command {
        self.cargo_build_into("target/web")
    }

    /// The same with another folder for its output.
    pub fn cargo_build_into(&self, folder: &str) -> Command {
        let mut command = match self {
            Self::Rustup => {
                let mut c = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
                c.arg("build");
                c
            }
            Self::Debian { lld } => {
                let mut c = Command::new("/usr/bin/cargo");
                // The standard library is built from Debian's own source, which only nightly
                // compilers and this variable allow.
                c.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
                c.env_remove("RUSTUP_TOOLCHAIN");
                c.args(["build", "-Z", "build-std=panic_abort,std"]);
                c.arg("--config");
                c.arg(format!("target.{TARGET}.linker={:?}", lld.display().to_string()));
                c.arg("--config");
                c.arg(format!("target.{TARGET}.rustflags=['-Clinker-flavor=wasm-ld']"));
                c
            }
        };
        command.current_dir(root());
        command.args(["--target", TARGET, "--target-dir", folder]);
        command
    }

    /// In one line, for the person who waits.
    pub fn describe(&self) -> String {
        match self {
            Self::Rustup => format!("WebAssembly: rustup's {TARGET} target"),
            Self::Debian { .. } => {
                "WebAssembly: Debian's rustc-web with the standard library built from rust-web-src"
                    .into()
            }
        }
    }
}

pub(crate) fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or("rustc".into())
}

fn wasm_linker() -> Option<PathBuf> {
    let mut places = Vec::new();
    if let Some(sysroot) = output(Command::new(rustc()).args(["--print", "sysroot"])) {
        for host in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
            places.push(PathBuf::from(&sysroot).join(format!("lib/rustlib/{host}/bin/rust-lld")));
        }
    }
    for version in (14..=30).rev() {
        places.push(format!("/usr/bin/wasm-ld-{version}").into());
    }
    places.push("/usr/bin/wasm-ld".into());
    places.into_iter().find(|p| p.exists())
}
