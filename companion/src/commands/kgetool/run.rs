//! `graphground kgetool run`: `bench --experiment family` under another name.

use std::path::PathBuf;
use std::process::ExitCode;

use tasks::family::write;

use super::{Data, MeaningName, MethodName, ModeName, Searching, SourceName};
use crate::commands::bench;
use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    searching: Searching,
    /// What the second model receives of the graph.
    #[arg(long, value_enum, default_value_t = SourceName::Extracted)]
    source: SourceName,
    /// The script that searches: script, mistaken-relation, mistaken-hop, mistaken-tool or
    /// mistaken-type.
    #[arg(long, default_value = "script")]
    extract_script: String,
    /// The script that calls.
    #[arg(long, default_value = "script")]
    call_script: String,
    /// An endpoint's address; its models take the scripts' places.
    #[arg(long)]
    endpoint: Option<String>,
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The model there that searches.
    #[arg(long, requires = "endpoint")]
    extract_model: Option<String>,
    /// The model there that calls.
    #[arg(long, requires = "endpoint")]
    call_model: Option<String>,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
    /// How the calling model calls tools: native, json, react or json-schema, as for `bench`.
    #[arg(long, requires = "endpoint", value_name = "STYLE")]
    tool_style: Option<String>,
    /// At most so many samples.
    #[arg(long)]
    limit: Option<usize>,
    /// The runs file; one that is there is gone on with.
    #[arg(long, default_value = "family-runs.jsonl")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let options = args.searching.options()?;
    let (system, mode, similarity) = (
        match (args.source, args.searching.method) {
            (SourceName::Golden, _) => "golden",
            (SourceName::Full, _) => "full",
            (_, MethodName::Gs) => "gs",
            (_, MethodName::Rr) => "rr",
            (_, MethodName::Exact) => "exact",
        },
        match args.searching.mode {
            ModeName::Paper => "paper",
            ModeName::Compat => "compat",
        },
        match args.searching.meaning {
            MeaningName::Words => "words",
            MeaningName::Trigrams => "trigrams",
        },
    );
    if args.endpoint.is_some() && args.extract_model.is_none() && args.call_model.is_none() {
        anyhow::bail!("--endpoint needs --extract-model, --call-model or both");
    }
    let mut words: Vec<String> =
        ["--experiment", "family", "--system", system].map(Into::into).into();
    let mut say = |name: &str, value: String| words.extend([name.to_owned(), value]);
    for set in
        [format!("mode={mode}"), format!("k={}", options.k), format!("similarity={similarity}")]
    {
        say("--set", set);
    }
    // A role's own model stands before that of both.
    let of_role = |script: &str, model: Option<&String>| match (&args.endpoint, model) {
        (Some(address), Some(model)) => format!("{model}@{address}"),
        _ => script.to_owned(),
    };
    let searcher = of_role(&args.extract_script, args.extract_model.as_ref());
    let caller = of_role(&args.call_script, args.call_model.as_ref());
    say("--role", format!("searcher={searcher}"));
    say("--role", format!("caller={caller}"));
    say("--provider", args.provider.clone());
    if let Some(name) = &args.key_env {
        say("--key-env", name.clone());
    }
    if let Some(style) = &args.tool_style {
        say("--tool-style", style.clone());
    }
    if let Some(n) = args.limit {
        say("--n", n.to_string());
    }
    say("--out", args.out.display().to_string());
    let benchmark = args.data.read()?;
    output::complain(&format!("this is `graphground bench {}`", words.join(" ")));
    let mut bench = bench::Args::of_words(&words)?;
    // Samples, tools and triples of several files are one file here.
    bench.texts = vec![("benchmark.jsonl".to_owned(), write(&benchmark)?)];
    bench::run_and_report(&bench)
}
