//! Makes pairs of texts from a seed, scores them, and writes one JSON line a pair and one for the
//! whole: `{"reference", "prediction", "rouge": {name: [precision, recall, f1]}, "tokens", "bleu":
//! [score, brevity]}`. `peers/peers.py` asks other programs the same.
//!
//! `cargo run --release -p text --example texts -- --n 2000 --seed 1`

use std::io::{BufWriter, Write};

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::json;
use text::{Bleu, BleuCounts, Rouge, bleu_tokens, rouge_l, rouge_lsum, rouge_n};

/// What texts are made of: words, numbers, signs and spaces that tokenizers part on.
const PIECES: &[&str] = &[
    "the",
    "The",
    "of",
    "graph",
    "paper",
    "#83826",
    "is",
    "a",
    "in",
    "topic",
    "node",
    "it's",
    "1,234.5",
    "2-3",
    "3.",
    "...",
    "a,b",
    "-",
    "--",
    "-->r]",
    "[GR(GL(\"cora\"),",
    "{\"bull_graph\"}",
    "\"toolx:order\")",
    "user#u12",
    "&amp;",
    "&quot;",
    "&lt;b&gt;",
    "<skipped>",
    "\n",
    "\n\n",
    "-\n",
    "ä",
    "ÉTÉ",
    "naïve",
    "日本",
    "K",
    "x\u{a0}y",
    "\u{1c}",
    "don't",
    "e.g.",
    "C++",
    "50%",
    "(",
    ")",
    "well-known",
    "/m/06cx9",
    "_hypernym",
    "plaything.n.01",
];

fn text(rng: &mut ChaCha8Rng) -> Vec<&'static str> {
    let n = if rng.random_bool(0.03) { rng.random_range(0..4) } else { rng.random_range(4..40) };
    (0..n).filter_map(|_| PIECES.choose(rng).copied()).collect()
}

/// A text as a model may have it: some pieces lost, doubled, moved or changed.
fn changed(pieces: &[&'static str], rng: &mut ChaCha8Rng) -> Vec<&'static str> {
    let rate = *[0.0, 0.05, 0.2, 0.6].choose(rng).unwrap_or(&0.2);
    let mut all = Vec::new();
    for piece in pieces {
        match rng.random_bool(rate).then(|| rng.random_range(0..4u32)) {
            Some(0) => {}
            Some(1) => all.extend([*piece, *piece]),
            Some(2) => all.extend(PIECES.choose(rng)),
            Some(_) => all.insert(rng.random_range(0..=all.len()), *piece),
            None => all.push(*piece),
        }
    }
    all
}

fn joined(pieces: &[&str], rng: &mut ChaCha8Rng) -> String {
    let mut text = String::new();
    for piece in pieces {
        text.push_str(piece);
        if rng.random_bool(0.85) {
            text.push(' ');
        }
    }
    text
}

fn list(rouge: Rouge) -> [f64; 3] {
    [rouge.precision, rouge.recall, rouge.f1]
}

fn pair(bleu: Bleu) -> [f64; 2] {
    [bleu.score, bleu.brevity]
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str, or: u64| {
        let place = arguments.iter().position(|a| a == name);
        place.and_then(|i| arguments.get(i + 1)?.parse().ok()).unwrap_or(or)
    };
    let (n, mut rng) = (option("--n", 2000), ChaCha8Rng::seed_from_u64(option("--seed", 1)));
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut whole = BleuCounts::default();
    for _ in 0..n {
        let pieces = text(&mut rng);
        let other = changed(&pieces, &mut rng);
        let (reference, prediction) = (joined(&pieces, &mut rng), joined(&other, &mut rng));
        let counts = BleuCounts::of(&reference, &prediction);
        whole.add(&counts);
        let line = json!({
            "rouge": {
                "rouge1": list(rouge_n(1, &reference, &prediction)),
                "rouge2": list(rouge_n(2, &reference, &prediction)),
                "rougeL": list(rouge_l(&reference, &prediction)),
                "rougeLsum": list(rouge_lsum(&reference, &prediction)),
            },
            "tokens": bleu_tokens(&prediction).join(" "),
            "bleu": pair(counts.scores()),
            "reference": reference,
            "prediction": prediction,
        });
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", json!({ "bleu": pair(whole.scores()) }))
}
