//! `graphground prompts augment`: other wordings of pairs, from a model, held to what is true.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use eval::prices::Prices;
use eval::{Budget, Spent};
use futures_util::FutureExt as _;
use llm::ChatRequest;
use rand::SeedableRng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use systems::toolformer::prompts::Pair;
use systems::toolformer::prompts::augment::{Inputs, Refused, Said, judge, messages, read};
use systems::toolformer::{Executor, Mode};

use crate::commands::bench::prices;
use crate::commands::toolformer::asking::{Asking, Waits};
use crate::commands::toolformer::data::Given;
use crate::{input, limits, output};

/// So many answers without a new pair, and nobody is asked again.
const MAX_BARREN: usize = 5;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Pairs as `make` writes them: what is shown, and what is said otherwise.
    file: PathBuf,
    /// Takes the new pairs. What is there is kept, counts, and is not written again.
    #[arg(long)]
    out: PathBuf,
    /// Takes what is dropped, each with the reason.
    #[arg(long)]
    dropped: Option<PathBuf>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    given: Given,
    /// How many new pairs there are to be in the end.
    #[arg(long, default_value_t = 100)]
    n: usize,
    /// How many wordings are asked for at once.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=50))]
    at_once: u16,
    /// How many pairs are shown beside the one to say otherwise.
    #[arg(long, default_value_t = 8)]
    examples: usize,
    /// Picks which pairs are shown and in which order they are said otherwise.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The sampling temperature; the endpoint's own if left out.
    #[arg(long)]
    temperature: Option<f64>,
    /// Stops at so many tokens, as far as the endpoint tells them.
    #[arg(long)]
    max_tokens: Option<u64>,
    /// Stops at so many dollars, as far as prices are known.
    #[arg(long)]
    max_dollars: Option<f64>,
    /// What a model costs in dollars for a million tokens read and written: NAME=READ,WRITTEN.
    #[arg(long, value_name = "NAME=READ,WRITTEN")]
    price: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    if args.asking.endpoint.is_none() {
        bail!("other wordings need a model: give --endpoint and --model");
    }
    let prices = affordable(args)?;
    let model = args.asking.model()?;
    let mut pairs = Vec::new();
    for (number, line) in super::lines(&args.file)? {
        let pair: Pair = serde_json::from_str(&line).with_context(|| {
            format!("{}, line {number}: no pair as `prompts make` writes it", args.file.display())
        })?;
        pairs.push(pair);
    }
    if pairs.is_empty() {
        bail!("{}: there are no pairs in it", args.file.display());
    }
    let mut inputs = Inputs::default();
    pairs.iter().for_each(|pair| {
        inputs.add(&pair.input);
    });
    let mut out = Appended::open(&args.out)?;
    for input in &out.inputs {
        inputs.add(input);
    }
    let mut n = out.inputs.len();
    if n > 0 {
        output::complain(&format!("{}: {n} pairs are there", args.out.display()));
    }
    let mut dropped = args.dropped.as_deref().map(Appended::open).transpose()?;
    let mut executor = Executor::new(args.given.hubs()?, Mode::Ours);
    let budget = Budget { max_tokens: args.max_tokens, max_dollars: args.max_dollars };
    let (mut spent, mut reasons) = (Spent::default(), BTreeMap::<String, usize>::new());
    let (mut n_asked, mut n_new, mut barren) = (0_u64, 0_usize, 0_usize);
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(args.seed));
    let mut stop = None;
    // What is gone on with goes on behind the pairs that were asked about before.
    let first = n.div_ceil(usize::from(args.at_once));
    for round in first.. {
        if n >= args.n {
            break;
        }
        stop = spent.reached(&budget);
        if barren == MAX_BARREN {
            stop = Some(format!("{MAX_BARREN} answers in turn had no new pair"));
        }
        if stop.is_some() {
            break;
        }
        let seed = args.seed.wrapping_add(round as u64);
        let about = &pairs[order[round % order.len()]];
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let shown: Vec<Pair> = pairs.choose_multiple(&mut rng, args.examples).cloned().collect();
        let request = ChatRequest {
            messages: messages(&shown, about, usize::from(args.at_once)),
            temperature: args.temperature,
            seed: Some(seed),
            ..ChatRequest::default()
        };
        // The client blocks, so that every future is ready when it is looked at.
        let answer = model
            .complete(&request, &Waits)
            .now_or_never()
            .context("a fault of ours: the model was not waited for")?;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                stop = Some(error.to_string());
                break;
            }
        };
        n_asked += 1;
        spent.add(&answer.usage, prices.cost(&args.asking.model, &answer.usage));
        let before = n;
        for said in read(&answer.message.content) {
            if n == args.n {
                break;
            }
            let judged = said
                .map_err(|refused| (refused, None))
                .and_then(|said| told(&mut executor, about, said, &mut inputs));
            match judged {
                Ok(pair) => {
                    out.line(&serde_json::to_value(&pair)?)?;
                    n += 1;
                }
                Err((refused, said)) => {
                    *reasons.entry(kind(&refused)).or_default() += 1;
                    if let Some(file) = &mut dropped {
                        file.line(&json!({
                            "message": refused.to_string(), "reason": refused, "pair": said,
                            "template": about.template,
                        }))?;
                    }
                }
            }
        }
        n_new += n - before;
        barren = if n == before { barren + 1 } else { 0 };
    }
    output::complain(&format!(
        "{n_new} new pairs of {n_asked} answers; {n} of {} are there",
        args.n
    ));
    for (reason, n) in reasons {
        output::complain(&format!("{n} dropped: {reason}"));
    }
    output::complain(&format!("{} tokens, ${:.4}{}", spent.tokens, spent.dollars, untold(&spent)));
    match stop {
        Some(why) => bail!("stopped before {} pairs were there: {why}", args.n),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// A pair that is taken, or why not and what was said.
fn told(
    executor: &mut Executor,
    about: &Pair,
    said: Said,
    inputs: &mut Inputs,
) -> Result<Pair, (Refused, Option<Said>)> {
    judge(executor, about, said.clone(), inputs).map_err(|refused| (refused, Some(said)))
}

/// The prices; a bound in dollars that could never be reached is refused.
fn affordable(args: &Args) -> Result<Prices> {
    let prices = prices(&args.price)?;
    let model = &args.asking.model;
    if args.max_dollars.is_some() && prices.of(model).is_none() {
        bail!(
            "--max-dollars needs the price of {model:?}: tell it with --price {model}=READ,WRITTEN"
        );
    }
    Ok(prices)
}

fn untold(spent: &Spent) -> String {
    match (spent.n_untold, spent.n_unpriced) {
        (0, 0) => String::new(),
        (0, n) => format!("; the price of {n} answers is not known"),
        (n, _) => format!("; {n} answers came without a count of tokens"),
    }
}

/// What kind of reason it is, in a word.
fn kind(refused: &Refused) -> String {
    let told = serde_json::to_value(refused).unwrap_or_default();
    let word = told["error"]["kind"].as_str().or_else(|| told["why"].as_str());
    word.unwrap_or("unknown").to_owned()
}

/// A file of lines that grows.
struct Appended {
    file: File,
    path: PathBuf,
    /// The inputs of the pairs that were in it.
    inputs: Vec<String>,
}

impl Appended {
    /// Opens a file to go on with. A last line that was cut off, because the program was ended while
    /// it wrote, is taken away.
    fn open(path: &Path) -> Result<Self> {
        let place = || format!("{}: cannot be gone on with", path.display());
        let before =
            if path.exists() { input::plain_text(path, limits::TEXT)? } else { String::new() };
        let whole = before.rfind('\n').map_or(0, |end| end + 1);
        let mut inputs = Vec::new();
        for (i, line) in before[..whole].lines().enumerate() {
            let read: Value = serde_json::from_str(line).with_context(|| {
                format!("{}, line {}: a JSON object was expected", path.display(), i + 1)
            })?;
            inputs.extend(read["input"].as_str().map(str::to_owned));
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .with_context(place)?;
        file.set_len(whole as u64).with_context(place)?;
        drop(file);
        let file = OpenOptions::new().append(true).open(path).with_context(place)?;
        Ok(Self { file, path: path.to_owned(), inputs })
    }

    fn line(&mut self, value: &Value) -> Result<()> {
        // In one write, so that a line is there or not.
        self.file
            .write_all(format!("{value}\n").as_bytes())
            .with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}
