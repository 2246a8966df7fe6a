//! Tool retrieval on questions in words that the index does not have: `questions.tsv` beside this file
//! was written from the functions' names alone.

use std::cmp::Reverse;
use std::io::Write;
use std::rc::Rc;

use agent::{Choosing, choose};
use anyhow::{Context as _, bail};
use llm::{Message, ToolSpec};
use systems::grounded::retrieval::{PINNED, choosing};
use text::SimilarityMeasure;
use tiktoken_rs::CoreBPE;

use super::count_tools;
use companion::similarity::SimilarityChoice;
use companion::table;

/// The built-in questions.
const QUESTIONS: &str = include_str!("questions.tsv");

/// How many functions are sent beside the pinned ones.
const SIZES: [usize; 4] = [1, 3, 5, 8];

/// What weighs against the first places where two rankings are added up: the usual constant of
/// reciprocal rank fusion.
const FUSED: f64 = 60.0;

/// A question, and the functions of which one answers it.
pub(super) struct Question {
    wanted: Vec<String>,
    text: String,
}

/// Reads questions: a line each, functions separated by `|`, a tab, the question. A line that begins
/// with `#` is a remark.
pub(super) fn read(text: &str, specs: &[ToolSpec]) -> anyhow::Result<Vec<Question>> {
    let mut questions = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (wanted, question) = line.split_once('\t').with_context(|| {
            format!("line {}: expected FUNCTION|…, a tab, and the question", i + 1)
        })?;
        let wanted: Vec<String> = wanted.split('|').map(|w| w.trim().to_owned()).collect();
        if let Some(unknown) = wanted.iter().find(|w| specs.iter().all(|s| s.name != **w)) {
            bail!("line {}: no function is called {unknown:?}", i + 1);
        }
        questions.push(Question { wanted, text: question.trim().to_owned() });
    }
    if questions.is_empty() {
        bail!("there are no questions");
    }
    Ok(questions)
}

/// The names of the functions beside the pinned ones, the best fitting first.
type Rank = Box<dyn Fn(&str) -> Vec<String>>;

fn by_bm25(specs: &[ToolSpec], phrases: bool) -> Rank {
    let specs = specs.to_vec();
    Box::new(move |question| {
        let mut how = choosing(specs.len());
        if let (false, Choosing::Bm25 { asked_as, .. }) = (phrases, &mut how) {
            asked_as.clear();
        }
        let sent = choose(&how, &specs, &[Message::user(question)]);
        sent.into_iter().map(|s| s.name).filter(|n| !PINNED.contains(&n.as_str())).collect()
    })
}

fn by_meaning(specs: &[ToolSpec], measure: &Rc<dyn SimilarityMeasure>) -> Rank {
    let rest: Vec<&ToolSpec> =
        specs.iter().filter(|s| !PINNED.contains(&s.name.as_str())).collect();
    let names: Vec<String> = rest.iter().map(|s| s.name.clone()).collect();
    let texts: Vec<String> =
        rest.iter().map(|s| format!("{}. {}", s.name.replace('_', " "), s.description)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let index = measure.index(&texts);
    Box::new(move |question| {
        let scores = index.scores(question);
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        order.into_iter().map(|i| names[i].clone()).collect()
    })
}

/// Two rankings as one: what is far up in either is far up. Cormack, Clarke and Büttcher, 2009.
fn together(a: Rank, b: Rank) -> Rank {
    Box::new(move |question| {
        let lists = [a(question), b(question)];
        let score = |name: &String| -> f64 {
            let place = |list: &Vec<String>| list.iter().position(|n| n == name);
            lists.iter().filter_map(place).map(|i| 1.0 / (FUSED + i as f64)).sum()
        };
        let mut names = lists[0].clone();
        names.sort_by_key(|name| Reverse((score(name) * 1e12) as u64));
        names
    })
}

/// Prints, for each way to choose, how many questions get a function that answers them, and what is
/// sent in tokens.
pub(super) fn print(
    out: &mut impl Write,
    bpe: &CoreBPE,
    specs: &[ToolSpec],
    given: Option<&str>,
    cache: Option<&std::path::Path>,
) -> anyhow::Result<()> {
    let questions = read(given.unwrap_or(QUESTIONS), specs)?;
    let all = count_tools(bpe, specs);
    let mut ways: Vec<(&str, Rank)> = vec![
        ("BM25, descriptions alone", by_bm25(specs, false)),
        ("BM25, with our phrases", by_bm25(specs, true)),
    ];
    let table = SimilarityChoice::Table.open(None, None)?;
    ways.push(("table of words", by_meaning(specs, &table)));
    match SimilarityChoice::Minilm.open(None, cache) {
        Ok(minilm) => {
            ways.push(("MiniLM", by_meaning(specs, &minilm)));
            ways.push((
                "MiniLM and BM25, descriptions alone",
                together(by_bm25(specs, false), by_meaning(specs, &minilm)),
            ));
            ways.push((
                "MiniLM and BM25, with our phrases",
                together(by_bm25(specs, true), by_meaning(specs, &minilm)),
            ));
        }
        Err(error) => writeln!(out, "without MiniLM: {error:#}")?,
    }
    ways.push((
        "table of words and BM25, with our phrases",
        together(by_bm25(specs, true), by_meaning(specs, &table)),
    ));
    writeln!(
        out,
        "{} questions in words that the index was not written for; {} functions, {all} tokens\n",
        questions.len(),
        specs.len()
    )?;
    let mut rows = Vec::new();
    for (title, rank) in &ways {
        let ranked: Vec<Vec<String>> = questions.iter().map(|q| rank(&q.text)).collect();
        for n in SIZES {
            let found = questions
                .iter()
                .zip(&ranked)
                .filter(|(q, names)| names.iter().take(n).any(|name| q.wanted.contains(name)));
            let found = found.count();
            let tokens: usize = ranked
                .iter()
                .map(|names| {
                    let is_sent = |s: &&ToolSpec| {
                        PINNED.contains(&s.name.as_str()) || names[..n].contains(&s.name)
                    };
                    let sent: Vec<ToolSpec> = specs.iter().filter(is_sent).cloned().collect();
                    count_tools(bpe, &sent)
                })
                .sum();
            let mean = tokens as f64 / questions.len() as f64;
            rows.push(vec![
                (*title).to_owned(),
                n.to_string(),
                format!("{found} of {}", questions.len()),
                format!("{:.1} %", 100.0 * found as f64 / questions.len() as f64),
                format!("{mean:.0}"),
                format!("{:.1} %", 100.0 * mean / all as f64),
            ]);
        }
    }
    let head = ["chosen by", "functions", "answered by one", "recall", "tokens", "share of all"];
    table::write(out, &head, &rows)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use agent::ToolSet as _;
    use systems::grounded::GraphTools;

    use super::*;

    #[test]
    fn the_questions_name_functions_that_are_there() {
        let specs = GraphTools::default().specs();
        let questions = read(QUESTIONS, &specs).unwrap();
        assert!(questions.len() >= 100);
        let error = read("find_nothing\tWhere?", &specs).err().unwrap();
        assert!(error.to_string().contains("line 1: no function is called"), "{error}");
        assert!(read("no tab here", &specs).is_err());
    }

    #[test]
    fn two_rankings_are_one_in_which_both_count() {
        let fixed = |names: [&'static str; 3]| -> Rank {
            Box::new(move |_| names.map(str::to_owned).to_vec())
        };
        let both = together(fixed(["a", "b", "c"]), fixed(["c", "b", "a"]));
        // 1/60 + 1/62 is more than 2/61: the ends come before the middle.
        assert_eq!(both("?"), ["a", "c", "b"]);
    }
}
