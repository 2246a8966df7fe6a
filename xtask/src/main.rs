//! Everything that is not plain cargo: set-up, build, serve, test, check, ship.

mod axe;
mod bench_browser;
mod bench_kg;
mod bench_messages;
mod bench_models;
mod bench_page;
mod bench_tasks;
mod bench_visits;
mod cluster;
mod compressed;
mod count;
mod cycles;
mod deny;
mod dev;
mod dist;
#[cfg(test)]
mod documents;
mod examples;
mod executables;
mod figures;
mod fuzz;
mod layers;
#[cfg(test)]
mod licences;
mod lighthouse;
mod live;
mod model;
mod models;
mod one_file;
mod pack;
mod peers;
mod pyodide;
mod python;
mod readers;
mod real_server;
mod results;
mod serve;
mod server;
mod setup;
mod site;
mod steps;
mod test;
mod texts;
mod threads;
mod timings;
mod toolchain;
mod trained;
#[cfg(test)]
mod units;
mod words;

use bench_browser::Libraries;
use clap::{CommandFactory as _, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, build, serve, test for Graphground")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing, build the page, serve it, print its address. Rare parts are built
    /// while it is served.
    Serve {
        /// Build everything first, as `dist` does.
        #[arg(long)]
        release: bool,
        /// The port on the loopback.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Install system packages without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Serve the page, build again what changes, and reload it.
    Dev {
        /// The port on the loopback.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Install system packages without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Install what is missing and run every test, browser tests included.
    Test {
        /// Install system packages without asking.
        #[arg(long)]
        yes: bool,
        /// Leave out the tests that need a browser.
        #[arg(long)]
        no_browser: bool,
    },
    /// Run what `test` leaves out to stay short: documentation, licences, all inputs of every property,
    /// what is shipped with its sizes, parts and threads, Firefox. Takes an hour or two.
    Nightly {
        /// Install system packages without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Open the page in Firefox ESR and do one scripted run.
    Firefox {
        /// Install system packages without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Install what is missing and stop.
    Setup {
        /// Install system packages without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Check format, layers, words and figures, which takes seconds; with `--lints`, lints and
    /// documentation too.
    Check {
        /// Clippy for this machine and for the browser, and the documentation.
        #[arg(long)]
        lints: bool,
    },
    /// Build the page's WebAssembly into `target/site/wasm` (Trunk's hook calls this).
    Engine,
    /// Write a static folder that any web server can serve under any path, with the page as one file
    /// in it.
    Dist {
        /// Where to write it.
        #[arg(long, default_value = "dist")]
        out: std::path::PathBuf,
        /// Where it will stand, an address of the web: with it, programs that show
        /// links find the page's picture.
        #[arg(long, conflicts_with_all = ["single_file", "examples"])]
        address: Option<String>,
        /// Instead, write that one HTML file alone, which opens from a disk.
        #[arg(long)]
        single_file: bool,
        /// Instead, write that file and two example pages with runs of the scripts.
        #[arg(long, conflicts_with = "single_file")]
        examples: bool,
        /// Write the sizes into the documents, with commit and day.
        #[arg(long, conflicts_with_all = ["single_file", "examples"])]
        write: bool,
        /// Fail where a first visit takes more than the aim or a file has grown, and test what only the
        /// shipped page has: parts, threads, compressed copies, static servers.
        #[arg(long, conflicts_with_all = ["single_file", "examples"])]
        check: bool,
    },
    /// Check which crate uses which against the layers of ARCHITECTURE.md.
    Layers,
    /// Count the files of one package that use each other in a circle.
    Cycles {
        /// Another checkout of the project.
        #[arg(long, value_name = "FOLDER")]
        at: Option<std::path::PathBuf>,
    },
    /// Check the texts for retired words, and public type names for one meaning (`xtask/words.txt`).
    Words,
    /// Check that the figures in README.md and docs/ name a command that exists, a commit and a day.
    Figures {
        /// Run the commands of `graphground` with this in them, and write what they print.
        #[arg(long, value_name = "PART")]
        write: Option<String>,
    },
    /// Write `docs/results.md` from `docs/results.json`, after setting a result in there if one is given.
    Results {
        /// The result's id.
        #[arg(requires = "figure")]
        id: Option<String>,
        /// What it came to, with its aim where it has one.
        figure: Option<String>,
    },
    /// List what fills the modules of the last build: code by crate, data, repeated functions.
    Sizes {
        /// The modules.
        #[arg(default_values = ["app", "engine_worker"])]
        modules: Vec<String>,
    },
    /// Count lines of Rust by crate, lines that ship, packages, circles of files, and doc comments.
    Count {
        /// Write the counts into the documents, with commit and day.
        #[arg(long)]
        write: bool,
        /// Count another checkout.
        #[arg(long, value_name = "FOLDER", conflicts_with = "write")]
        at: Option<std::path::PathBuf>,
    },
    /// Check licences, bans and sources of all dependencies.
    Deny,
    /// Compare the graph functions with networkx on random graphs, and ROUGE and BLEU with others.
    Peers {
        /// How many random graphs.
        #[arg(long, default_value_t = 10_000)]
        n: u32,
        /// Instead, check our trace files and our MCP server with third-party readers.
        #[arg(long)]
        formats: bool,
        /// Instead, run against llama.cpp's server with a small model, in the companion and in Chromium,
        /// and let OpenAI's official SDKs ask ours.
        #[arg(long, conflicts_with_all = ["formats", "texts", "models"])]
        server: bool,
        /// With --server: only the companion's part.
        #[arg(long, requires = "server")]
        no_browser: bool,
        /// Instead, read calls and thoughts in text with ours and with the crates tool-parser and
        /// reasoning-parser.
        #[arg(long, conflicts_with_all = ["formats", "texts", "models", "server"])]
        calls: bool,
        /// Instead, run a benchmark as an array of a real Slurm on the loopback, beside one process, and
        /// check the files for Kubernetes against its schema.
        #[arg(long, conflicts_with_all = ["formats", "texts", "models", "server", "calls"])]
        cluster: bool,
        /// Only ROUGE and BLEU, against rouge-score and sacrebleu.
        #[arg(long, conflicts_with = "formats")]
        texts: bool,
        /// Instead, train PyKEEN's TransE, implicit's BPR, a GCN and an SVM on the splits of our models.
        #[arg(long, conflicts_with_all = ["formats", "texts"])]
        models: bool,
        /// With --models: a few epochs, to see whether they run.
        #[arg(long, requires = "models")]
        quick: bool,
        /// With --models: the classes of MUTAG, as `graphground train --labels` takes them.
        #[arg(long, requires = "models", value_name = "FILE")]
        labels: Option<std::path::PathBuf>,
    },
    /// Time the graph functions in Chromium beside graphology and networkx in Pyodide.
    BenchBrowser {
        /// Only ours, on one thread and on all in turn.
        #[arg(long)]
        threads: bool,
    },
    /// Time our functions beside petgraph's algorithms, natively and in Chromium.
    BenchPetgraph,
    /// Throw mutated inputs at every parser that reads what others wrote, and tell what failed.
    Fuzz {
        /// How long in all; every target gets the same share.
        #[arg(long, default_value_t = 10.0)]
        minutes: f64,
        /// Only this one.
        #[arg(long, value_name = "NAME")]
        target: Option<String>,
        /// How many at once.
        #[arg(long, default_value_t = 2)]
        jobs: usize,
    },
    /// Time a knowledge graph of 2.3 million edges natively and in Chromium.
    BenchKg,
    /// Time solver and judge on problems of every task, natively and in Chromium.
    BenchTasks,
    /// Time how long a visitor waits on slow lines, in Chromium.
    BenchVisits,
    /// What Lighthouse says of the pages: accessibility, best practices, SEO, performance.
    Lighthouse,
    /// Time messages between page and worker, as text and as values, in Chromium.
    BenchMessages,
    /// Time a model file in the page beside wllama (llama.cpp for browsers), in Chromium.
    BenchModels,
    /// Time the whole dataset natively, in the browser and in Python, and print the ratios.
    Bench {
        /// Instead, time thousands of benchmark runs and the pages that hold them.
        #[arg(long)]
        runs: bool,
    },
}

/// The commands with their options, as `--help` knows them.
fn command_line() -> clap::Command {
    Cli::command()
}

fn main() {
    let outcome = match Cli::parse().command {
        Command::Serve { port, yes, release: true } => serve::run_as_shipped(port, yes),
        Command::Serve { port, yes, .. } => serve::run(port, yes),
        Command::Dev { port, yes } => dev::run(port, yes),
        Command::Test { yes, no_browser } => test::run(yes, no_browser),
        Command::Nightly { yes } => test::nightly(yes),
        Command::Firefox { yes } => test::firefox(yes),
        Command::Setup { yes } => setup::page(yes)
            .and_then(|_| setup::browser(yes))
            .map(|()| steps::say("ready: everything that the commands need is here")),
        Command::Check { lints: false } => test::quick_checks(),
        Command::Check { lints: true } => test::quick_checks()
            .and_then(|()| setup::page(false))
            .and_then(|toolchain| test::lints(&toolchain))
            .and_then(|()| test::documentation()),
        Command::Engine => setup::page(false).and_then(|t| site::build_wasm(&t)),
        Command::Dist { out, single_file: true, .. } => one_file::run(&out),
        Command::Dist { out, examples: true, .. } => examples::run(&out),
        Command::Dist { out, address, write, check, .. } => {
            dist::run(&out, address.as_deref(), write, check)
        }
        Command::Layers => layers::run(),
        Command::Cycles { at } => cycles::run(at.as_deref()),
        Command::Words => words::run(),
        Command::Figures { write: Some(part) } => figures::measure(&part),
        Command::Figures { write: None } => figures::check(),
        Command::Results { id, figure } => results::run(id.as_deref().zip(figure.as_deref())),
        Command::Sizes { modules } => {
            pack::sizes(&modules.iter().map(|bin| site::compiled(bin)).collect::<Vec<_>>())
        }
        Command::Count { write, at } => count::run(write, at.as_deref()),
        Command::Deny => deny::run(),
        Command::Peers { models: true, quick, labels, .. } => {
            trained::run_all(quick, labels.as_deref())
        }
        Command::Peers { formats: true, .. } => readers::run_all(),
        Command::Peers { server: true, no_browser, .. } => real_server::run_all(!no_browser),
        Command::Peers { cluster: true, .. } => cluster::run_all(),
        Command::Peers { calls: true, .. } => peers::calls(),
        Command::Peers { texts: true, .. } => texts::run_all(),
        Command::Peers { n, .. } => peers::functions(n).and_then(|()| texts::run_all()),
        Command::BenchBrowser { threads: true } => bench_browser::run_all(Libraries::Threads),
        Command::BenchBrowser { .. } => bench_browser::run_all(Libraries::All),
        Command::BenchPetgraph => bench_browser::petgraph(),
        Command::Fuzz { minutes, target, jobs } => fuzz::run_all(minutes, target.as_deref(), jobs),
        Command::BenchKg => bench_kg::run_all(),
        Command::BenchTasks => bench_tasks::run_all(),
        Command::BenchVisits => bench_visits::run_all(),
        Command::Lighthouse => lighthouse::run_all(),
        Command::BenchMessages => bench_messages::run_all(),
        Command::BenchModels => bench_models::run_all(),
        Command::Bench { runs: true } => examples::time(),
        Command::Bench { .. } => peers::dataset(),
    };
    if let Err(error) = outcome {
        steps::fail(&error);
        std::process::exit(1);
    }
}
