//! The page for whoever wants to see it: its first parts quickly, the others while it is served.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use crate::live::Live;
use crate::server::Server;
use crate::site::{self, QUICK};
use crate::steps::say;
use crate::{models, one_file, pack, setup, threads};

/// Builds what the first page needs, serves it, and builds the rest meanwhile.
pub fn run(port: u16, yes: bool) -> Result<()> {
    let start = Instant::now();
    let live = Arc::new(Live::new("target/site-serve", QUICK, setup::page(yes)?)?);
    live.copy_files()?;
    models::lay_beside(&live.folder)?;
    say("building the page and its first engine (the first time takes some minutes)");
    // What packs modules compiles beside them; the first module to be packed waits for it.
    std::thread::spawn(pack::build);
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
        rest.demand_engine();
        rest.demand_model();
        let wasm = rest.folder.join("wasm");
        let threads = threads::build(&rest.toolchain, &wasm, QUICK)
            .and_then(|has_threads| site::write_bundles(&wasm, has_threads, true));
        match threads {
            Ok(()) => say(&format!(
                "everything is built after {:.0} s; a page that is loaded again uses all cores",
                start.elapsed().as_secs_f32()
            )),
            Err(error) => say(&format!("the engine with threads is not built: {error:#}")),
        }
    });
    let folder = live.folder.clone();
    server.run_with(&folder, &move |path, _| {
        live.demand_for(path);
        None
    })
}

/// The same with the modules that `dist` ships, all built before it serves.
pub fn run_as_shipped(port: u16, yes: bool) -> Result<()> {
    let site = site::build(&setup::page(yes)?)?;
    one_file::beside(&site)?;
    pack::compress(&site)?;
    models::lay_beside(&site)?;
    let server = Server::bind(port)?;
    say(&format!("serving {} (Ctrl+C stops it)", server.url()));
    server.run(&site)
}
