//! The page for whoever wants to see it: its first parts quickly, the others while it is served.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use crate::live::Live;
use crate::server::Server;
use crate::site::{self, FEATURES, Parts};
use crate::steps::say;
use crate::{models, packed, setup, single_file, threads};

/// Cargo's profile for it: quick to compile, and quick where it computes. `dist` takes longer for
/// modules that are a third of the size.
const PROFILE: &str = "wasm-quick";

/// Builds what the first page needs, serves it, and builds the rest meanwhile.
pub fn run(port: u16, yes: bool) -> Result<()> {
    let start = Instant::now();
    let live = Arc::new(Live::new("target/site-serve", PROFILE, setup::page(yes)?)?);
    live.copy_files()?;
    models::lay_beside(&live.folder)?;
    single_file::lay_beside(&live.folder)?;
    say("building the page and its first engine (the first time takes some minutes)");
    live.build()?;
    let server = Server::bind(port)?;
    say(&format!(
        "serving {} after {:.0} s (Ctrl+C stops it); what other pages stand on is being built, and a page \
         that needs one waits for it",
        server.url(),
        start.elapsed().as_secs_f32()
    ));
    let rest = live.clone();
    std::thread::spawn(move || {
        for (_, feature, what) in FEATURES {
            rest.demand(feature, what);
        }
        rest.demand_model();
        let wasm = rest.folder.join("wasm");
        let threads = threads::build(&rest.toolchain, &wasm, PROFILE)
            .and_then(|has_threads| site::write_bundles(&wasm, has_threads, Parts::Join));
        match threads {
            Ok(()) => say(&format!(
                "everything is built after {:.0} s; a page that is loaded again uses all cores",
                start.elapsed().as_secs_f32()
            )),
            Err(error) => say(&format!("the engine with threads is not built: {error:#}")),
        }
    });
    let folder = live.folder.clone();
    server.run_with(&folder, &move |path, query| {
        live.demand_for(path, query);
        None
    })
}

/// The same with the modules that `dist` ships, all built before it serves.
pub fn run_as_shipped(port: u16, yes: bool) -> Result<()> {
    let site = site::build(&setup::page(yes)?)?;
    single_file::beside(&site)?;
    packed::beside(&site)?;
    models::lay_beside(&site)?;
    let server = Server::bind(port)?;
    say(&format!("serving {} (Ctrl+C stops it)", server.url()));
    server.run(&site)
}
