//! A report as one HTML file that is read without a network, without a server, without JavaScript.
//!
//! Everything that a model wrote goes in as escaped text. The policy in the file allows its own
//! style and its own script, by their hashes, and nothing else: no request can leave it.

mod sheet;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use draw::{Places, layout, plot, sketch, suited};
use graph::NodeName;
use tasks::{MarkKind, Verdict};
use trace::{StepBody, ToolResult, Trace};

use crate::report::Report;
use crate::tables::{Table, verdict_title};
use crate::{Item, RunEntry, Runs, Setup};

pub use sheet::sheet;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Hashes of the style (with that of plots) and the script; a test holds them.
const STYLE_HASH: &str = "osaGaFFZlR+5MDUT0GuHP7kWuz42F9Vk4xN7QStNS4k=";
const SCRIPT_HASH: &str = "YXJD8YdOVbp+D9bkzhIdB1gydnNFMIToYOv8Ik5lkjM=";

/// The longest text of one message, of a call's arguments or of its result; the rest is told by its
/// length.
const MAX_TEXT: usize = 1_500;
/// Graphs with more nodes are not drawn.
const MAX_NODES: usize = 300;

/// Text that is safe inside an element.
fn esc(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The same, shortened where it is long.
fn part(text: &str) -> String {
    let text = text.trim();
    let n = text.chars().count();
    if n <= MAX_TEXT {
        return esc(text);
    }
    let head: String = text.chars().take(MAX_TEXT).collect();
    format!("{}… ({n} letters)", esc(&head))
}

/// The page.
///
/// # Complexity
/// O(size of the runs), and for each problem's drawing what its layout takes.
pub fn html(runs: &Runs, report: &Report, title: &str) -> String {
    let lede = format!(
        "{} runs of {} problems by {} setups; every answer judged by a verifier (version {}).",
        report.dots.len(),
        report.n_problems,
        report.setups.len(),
        tasks::VERIFIER_VERSION,
    );
    let mut out = begin(title, &lede);
    out.push_str("<section><h2>Figures</h2><div class=\"plots\">");
    for (i, plot) in report.plots().iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<figure><figcaption>{}</figcaption>{}</figure>",
            esc(&plot.title),
            plot.svg(&format!("p{i}"))
        );
    }
    out.push_str("</div></section>");
    let tables =
        [report.main_table(), report.cost_table(), report.error_table(), report.setup_table()];
    for table in &tables {
        write_table(&mut out, table);
    }
    if !runs.failures.is_empty() {
        let _ = write!(
            out,
            "<p>{} runs failed at their endpoint and are not counted.</p>",
            runs.failures.len()
        );
    }
    write_runs(&mut out, runs, report);
    end(&mut out, true);
    out
}

/// The head of a page, up to where its sections go.
fn begin(title: &str, lede: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'sha256-{STYLE_HASH}'; script-src 'sha256-{SCRIPT_HASH}'; connect-src 'none'; \
         base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"generator\" content=\"Graphground {}\"><title>{title}</title>\
         <style>{STYLE}{}</style></head><body><header><h1>{title}</h1><p class=\"q\">{} This page \
         needs no network and makes no request.</p></header><main>",
        env!("CARGO_PKG_VERSION"),
        plot::STYLE,
        esc(lede),
        title = esc(title),
    )
}

/// The end of a page. The script is for a list of runs.
fn end(out: &mut String, has_runs: bool) {
    let version = env!("CARGO_PKG_VERSION");
    // Writing to a string cannot fail.
    let _ =
        write!(out, "</main><footer class=\"q\"><p>Made by Graphground {version}.</p></footer>");
    if has_runs {
        let _ = write!(out, "<script>{SCRIPT}</script>");
    }
    out.push_str("</body></html>");
}

fn write_table(out: &mut String, table: &Table) {
    let _ = write!(
        out,
        "<section><h2>{}</h2><div class=\"wide\"><table><thead><tr>",
        esc(&table.title)
    );
    let class = |c: usize| if table.is_number(c) { " class=\"n\"" } else { "" };
    for c in 0..table.head.len() {
        let _ = write!(out, "<th scope=\"col\"{}>{}", class(c), esc(table.name(c)));
    }
    out.push_str("</thead><tbody>");
    for row in &table.rows {
        out.push_str(match (row.is_reference, row.is_total) {
            (true, _) => "<tr class=\"r\">",
            (_, true) => "<tr class=\"s\">",
            _ => "<tr>",
        });
        for (c, cell) in row.cells.iter().enumerate() {
            let _ = write!(out, "<td{}>{}", class(c), esc(cell));
        }
    }
    out.push_str("</tbody></table></div>");
    if !table.note.is_empty() {
        let _ = write!(out, "<p class=\"q\">{}</p>", esc(&table.note));
    }
    out.push_str("</section>");
}

fn place_of(verdict: Verdict) -> usize {
    Verdict::ALL.iter().position(|v| *v == verdict).unwrap_or(3)
}

fn write_runs(out: &mut String, runs: &Runs, report: &Report) {
    let labels = report.labels();
    let setups: BTreeMap<&str, (usize, &Setup)> =
        report.setups.iter().enumerate().map(|(i, (h, s))| (h.as_str(), (i, s))).collect();
    let mut by_problem: BTreeMap<&str, Vec<&RunEntry>> = BTreeMap::new();
    for run in &runs.runs {
        by_problem.entry(&run.key.problem).or_default().push(run);
    }
    out.push_str("<section><h2>Every run</h2><p class=\"q\">Open a problem for its question, its graph, \
                  and what each model did. Green: what the answer points to and the graph has. Red, \
                  dashed: what it claims and the graph does not have.</p><div class=\"runs\">");
    for (i, item) in runs.problems.iter().enumerate() {
        let Some(mine) = by_problem.get_mut(item.id.as_str()) else { continue };
        mine.sort_by_key(|r| (setups.get(r.key.setup.as_str()).map(|s| s.0), r.key.sample));
        let verdicts: String = mine.iter().map(|r| place_of(r.verdict).to_string()).collect();
        let _ = write!(
            out,
            "<details class=\"p\" data-f=\"{}\" data-v=\"{verdicts}\"><summary>{}",
            esc(&item.family()),
            esc(&item.id)
        );
        for run in mine.iter() {
            let place = place_of(run.verdict);
            let _ = write!(out, "<span class=\"v v{place}\">{}</span>", verdict_title(run.verdict));
        }
        out.push_str("</summary><div class=\"b\">");
        let first = mine.first().and_then(|r| setups.get(r.key.setup.as_str()));
        let places = places(item);
        write_problem(out, i, item, places.as_ref(), first.map(|s| s.1));
        for run in mine.iter() {
            let Some((k, setup)) = setups.get(run.key.setup.as_str()) else { continue };
            // Other words than those above were read: they are shown where they were.
            let asked = |s: &Setup| s.question(&item.problem(), item.question.as_deref());
            let other = first.map(|f| asked(f.1)) != Some(asked(setup));
            write_run(out, run, &labels[*k], other.then(|| asked(setup)).as_deref());
            if let Some(places) = &places {
                write_marks(out, i, item, places, run);
            }
            out.push_str("</div>");
        }
        out.push_str("</div></details>");
    }
    out.push_str("</div></section>");
}

fn places(item: &Item) -> Option<Places> {
    (item.graph.n_nodes() <= MAX_NODES && item.graph.n_nodes() > 0)
        .then(|| layout(&item.graph, suited(&item.graph), 0, &Places::default()))
}

/// The question and the graph, once for all runs on it.
fn write_problem(
    out: &mut String,
    i: usize,
    item: &Item,
    places: Option<&Places>,
    setup: Option<&Setup>,
) {
    let question = setup.map(|s| s.question(&item.problem(), item.question.as_deref()));
    let question = question.unwrap_or_default();
    out.push_str("<div class=\"two\"><pre>");
    out.push_str(&esc(question.trim()));
    out.push_str("</pre>");
    if let Some(places) = places {
        let [x, y, w, h] = sketch::view(&item.graph, places);
        let _ = write!(
            out,
            "<svg class=\"g\" viewBox=\"{x} {y} {w} {h}\" role=\"img\" aria-label=\"the graph: {} nodes, {} edges\">\
             <g id=\"g{i}\">{}</g></svg>",
            item.graph.n_nodes(),
            item.graph.n_edges(),
            sketch::sketch(&item.graph, places)
        );
    } else {
        let _ = write!(
            out,
            "<p class=\"q\">{} nodes: too many to draw here.</p>",
            item.graph.n_nodes()
        );
    }
    out.push_str("</div>");
}

fn write_run(out: &mut String, run: &RunEntry, label: &str, question: Option<&str>) {
    let sample =
        if run.key.sample > 0 { format!(", sample {}", run.key.sample + 1) } else { String::new() };
    let _ = write!(
        out,
        "<h3>{}{sample} <span class=\"v v{}\">{}</span></h3><p>{}</p>",
        esc(label),
        place_of(run.verdict),
        verdict_title(run.verdict),
        esc(&run.explanation)
    );
    if let Some(question) = question {
        let _ = write!(out, "<pre>{}</pre>", esc(question.trim()));
    }
    out.push_str("<div class=\"two\">");
    write_steps(out, &run.trace);
}

/// What happened, step by step.
fn write_steps(out: &mut String, trace: &Trace) {
    out.push_str("<ol class=\"t\">");
    for step in &trace.steps {
        match &step.body {
            StepBody::Model { message, .. } if !message.content.trim().is_empty() => {
                let _ = write!(out, "<li><b>model</b><pre>{}</pre>", part(&message.content));
            }
            StepBody::Call { call, result, .. } => {
                let _ = write!(
                    out,
                    "<li><b>{}</b><pre>{}</pre>",
                    esc(&call.name),
                    part(&call.arguments)
                );
                match result {
                    ToolResult::Value { value, .. } => {
                        let _ = write!(out, "<pre>= {}</pre>", part(&value.to_string()));
                    }
                    ToolResult::Error(error) => {
                        let _ = write!(out, "<pre class=\"e\">{}</pre>", part(&error.message));
                    }
                }
            }
            StepBody::Note { text } => {
                let _ = write!(out, "<li><i>{}</i>", part(text));
            }
            StepBody::Findings { stage, findings } => {
                let _ = write!(out, "<li><i>{}: {} findings</i>", esc(stage), findings.len());
                for finding in findings {
                    let (rule, message) = (esc(&finding.rule), part(&finding.message));
                    let _ = write!(out, "<pre class=\"e\">{rule} {message}</pre>");
                }
            }
            StepBody::Choice { tools, n_tools, .. } => {
                let _ = write!(out, "<li><i>{} of {n_tools} functions were sent</i>", tools.len());
            }
            _ => {}
        }
    }
    out.push_str("</ol>");
}

/// What the answer points to, over the problem's drawing.
fn write_marks(out: &mut String, i: usize, item: &Item, places: &Places, run: &RunEntry) {
    let Some(answer) = run.trace.answer() else { return };
    let marks = tasks::verify(&item.problem(), answer).certificate.marks;
    let edges = |is_false: bool| {
        let pairs = marks
            .edges
            .iter()
            .filter(move |m| (m.kind == MarkKind::False) == is_false)
            .map(|m| (m.source.clone(), m.target.clone()));
        sketch::lines(places, pairs.collect::<Vec<(NodeName, NodeName)>>().into_iter(), false)
    };
    let (right, wrong) = (edges(false), edges(true));
    if right.is_empty() && wrong.is_empty() {
        return;
    }
    let [x, y, w, h] = sketch::view(&item.graph, places);
    let _ = write!(
        out,
        "<svg class=\"g\" viewBox=\"{x} {y} {w} {h}\" role=\"img\" aria-label=\"what the answer points to\">"
    );
    for (class, path) in [("g-m", right), ("g-x", wrong)] {
        if !path.is_empty() {
            let _ = write!(out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
    let _ = write!(out, "<use href=\"#g{i}\"/></svg>");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash of a text as a policy names it.
    fn hash(text: &str) -> String {
        use base64::Engine as _;
        use sha2::Digest as _;
        base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text.as_bytes()))
    }

    #[test]
    fn the_policy_allows_the_pages_own_style_and_script() {
        assert_eq!(hash(&format!("{STYLE}{}", plot::STYLE)), STYLE_HASH);
        assert_eq!(hash(SCRIPT), SCRIPT_HASH);
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(esc("<script>&\"\u{1}"), "&lt;script&gt;&amp;&quot; ");
        assert!(part(&"x".repeat(9_999)).ends_with("(9999 letters)"));
    }
}
