//! `graphground prompts augment`: other wordings of pairs, from a model, held to what is true.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use eval::prices::Prices;
use eval::{BenchPlan, Budget, Key, Next, Queue, Spent};
use futures_util::FutureExt as _;
use llm::{ChatRequest, Usage};
use rand::SeedableRng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};
use systems::experiment::Cost;
use systems::experiments;
use systems::toolformer::experiment::{ID, case};
use systems::toolformer::prompts::Pair;
use systems::toolformer::prompts::augment::{Inputs, Refused, WrittenPair, judge, messages, read};
use systems::toolformer::{Executor, Mode};

use companion::appended::Appended;
use companion::commands::toolformer::asking::{Asking, Waits};
use companion::commands::toolformer::data::Given;
use companion::prices;
use companion::{input, limits, output};

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
    /// Stops at this number of tokens, as far as the endpoint reports them.
    #[arg(long)]
    max_tokens: Option<u64>,
    /// Stops at this amount, as far as prices are known.
    #[arg(long)]
    max_dollars: Option<f64>,
    /// What a model costs, in dollars for a million input and output tokens: NAME=INPUT,OUTPUT.
    #[arg(long, value_name = "NAME=INPUT,OUTPUT")]
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
    let (mut out, there) = open_appended(&args.out)?;
    for input in &there {
        inputs.add(input);
    }
    let mut n = there.len();
    if n > 0 {
        output::complain(&format!("{}: {n} pairs are there", args.out.display()));
    }
    let mut dropped = match &args.dropped {
        Some(path) => Some(open_appended(path)?.0),
        None => None,
    };
    let mut executor = Executor::new(args.given.hubs()?, Mode::Ours);
    let (plan, mut queue) = queue(args, &pairs, n)?;
    let mut reasons = BTreeMap::<String, usize>::new();
    let (mut n_asked, mut n_new, mut barren) = (0_u64, 0_usize, 0_usize);
    // A question that is answered after all has not failed.
    let (mut failed, mut stop) = (BTreeSet::new(), None);
    while n < args.n {
        let job = match queue.hand_out() {
            Next::Job(job) => *job,
            Next::End(why) => {
                stop = Some(why.unwrap_or_else(|| "every pair was asked about".to_owned()));
                break;
            }
            Next::Wait => bail!("internal error: a question is waited for that nobody asked"),
        };
        let round = job.key.sample as usize * pairs.len() + job.case;
        let seed = args.seed.wrapping_add(round as u64);
        let about: Pair = plan.cases[job.case].body.read().map_err(anyhow::Error::msg)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let shown: Vec<Pair> = pairs.choose_multiple(&mut rng, args.examples).cloned().collect();
        let request = ChatRequest {
            messages: messages(&shown, &about, usize::from(args.at_once)),
            temperature: args.temperature,
            seed: Some(seed),
            ..ChatRequest::default()
        };
        // The client blocks, so that every future is ready when it is looked at.
        let answer = model
            .complete(&request, &Waits)
            .now_or_never()
            .context("internal error: the model was not waited for")?;
        let setup = &plan.setups[job.setup];
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                let reason = error.to_string();
                output::complain(&format!("question {} failed: {reason}", round + 1));
                failed.insert(round);
                queue.failed(job, &reason, setup, &Usage::default(), &prices);
                continue;
            }
        };
        failed.remove(&round);
        n_asked += 1;
        let cost = Cost { usage: answer.usage, n_rounds: 1, ..Cost::default() };
        queue.finished(setup, &cost, &prices);
        let before = n;
        for said in read(&answer.message.content) {
            if n == args.n {
                break;
            }
            let judged = said
                .map_err(|refused| (refused, None))
                .and_then(|said| read_answer(&mut executor, &about, said, &mut inputs));
            match judged {
                Ok(pair) => {
                    out.line(&format!("{}\n", serde_json::to_string(&pair)?))?;
                    n += 1;
                }
                Err((refused, said)) => {
                    *reasons.entry(kind(&refused)).or_default() += 1;
                    if let Some(file) = &mut dropped {
                        let told = json!({
                            "message": refused.to_string(), "reason": refused, "pair": said,
                            "template": about.template,
                        });
                        file.line(&format!("{told}\n"))?;
                    }
                }
            }
        }
        n_new += n - before;
        barren = if n == before { barren + 1 } else { 0 };
        if barren == MAX_BARREN {
            queue.stop(&format!("{MAX_BARREN} answers in turn had no new pair"));
        }
    }
    out.sync();
    output::complain(&format!(
        "{n_new} new pairs of {n_asked} answers, {} questions failed; {n} of {} are there",
        failed.len(),
        args.n
    ));
    for (reason, n) in reasons {
        output::complain(&format!("{n} dropped: {reason}"));
    }
    let spent = queue.spent();
    output::complain(&format!("{} tokens, ${:.4}{}", spent.tokens, spent.dollars, untold(spent)));
    match stop {
        Some(why) => bail!("stopped before {} pairs were there: {why}", args.n),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The questions: about each pair in an order that the seed picks, and then about each again.
fn queue(args: &Args, pairs: &[Pair], n_there: usize) -> Result<(BenchPlan, Queue)> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(args.seed));
    let cases: Result<Vec<_>, String> =
        order.iter().enumerate().map(|(i, at)| case(i.to_string(), &pairs[*at])).collect();
    let experiment = experiments::find(ID).map_err(anyhow::Error::msg)?;
    let setup = experiment.setup(ID, &[args.asking.role()]).map_err(anyhow::Error::msg)?;
    // A resumed run continues after the pairs that were asked about before.
    let first = n_there.div_ceil(usize::from(args.at_once));
    // So many answers without a new pair stand between two with one, at most.
    let most = first + args.n.saturating_sub(n_there) * MAX_BARREN + MAX_BARREN;
    let n_samples = u32::try_from(most.div_ceil(pairs.len())).context("--n is too large")?;
    let plan = BenchPlan {
        setups: vec![setup],
        cases: cases.map_err(anyhow::Error::msg)?,
        n_samples,
        shard: None,
    };
    let budget = Budget { max_tokens: args.max_tokens, max_dollars: args.max_dollars };
    let i = Cell::new(0);
    let is_asked = |_: &Key| i.replace(i.get() + 1) < first;
    let queue = Queue::new(&plan, is_asked, 1, budget, Spent::default());
    Ok((plan, queue))
}

/// A pair that is taken, or why not and what was said.
fn read_answer(
    executor: &mut Executor,
    about: &Pair,
    said: WrittenPair,
    inputs: &mut Inputs,
) -> Result<Pair, (Refused, Option<WrittenPair>)> {
    judge(executor, about, said.clone(), inputs).map_err(|refused| (refused, Some(said)))
}

/// The prices; a bound in dollars that could never be reached is refused.
fn affordable(args: &Args) -> Result<Prices> {
    let prices = prices::read(&args.price)?;
    let model = &args.asking.model;
    if args.max_dollars.is_some() && prices.of(model).is_none() {
        bail!(
            "--max-dollars needs the price of {model:?}: give it with --price {model}=INPUT,OUTPUT"
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

/// A file of pairs to go on with, and the inputs of those that are in it. A last line that was cut
/// off, because the program was ended while it wrote, is taken away.
fn open_appended(path: &Path) -> Result<(Appended, Vec<String>)> {
    let mut file = Appended::open(path, "pairs")?;
    let end = file.end_of_lines()?;
    if file.n_bytes() == 0 {
        return Ok((file, Vec::new()));
    }
    let text = input::plain_text(path, limits::TEXT)?;
    let (lines, rest) = text.split_at(usize::try_from(end)?);
    let mut inputs = Vec::new();
    let mut add = |line: &str| -> Result<(), serde_json::Error> {
        let read: Map<String, Value> = serde_json::from_str(line)?;
        inputs.extend(read.get("input").and_then(Value::as_str).map(str::to_owned));
        Ok(())
    };
    for (i, line) in lines.lines().enumerate() {
        add(line).with_context(|| {
            format!("{}, line {}: a JSON object was expected", path.display(), i + 1)
        })?;
    }
    if !rest.is_empty() && add(rest).is_ok() {
        // The last line is whole and lacks its end alone.
        file.line("\n")?;
    } else if rest.is_empty() || rest.starts_with('{') {
        file.cut(end)?;
    } else {
        bail!("{}: is no file of pairs, and is left as it is", path.display());
    }
    Ok((file, inputs))
}
