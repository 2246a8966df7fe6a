//! A report as one HTML file that is read without a network, without a server, without JavaScript.
//!
//! Everything that a model wrote goes in as escaped text. The policy in the file allows its own
//! style and its own script, by their hashes, and nothing else: no request can leave it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use draw::{Places, layout, plot, sketch, suited};
use graph::{Graph, NodeName};
use systems::experiments;
use tasks::{MarkKind, Verdict};
use trace::{StepBody, ToolResult, Trace};

use crate::report::Report;
use crate::tables::{Table, verdict_title};
use crate::{About, Case, RunEntry, Runs, Setup, live};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Hashes of the style (with that of plots) and the script; a test holds them.
const STYLE_HASH: &str = "osaGaFFZlR+5MDUT0GuHP7kWuz42F9Vk4xN7QStNS4k=";
const SCRIPT_HASH: &str = "YXJD8YdOVbp+D9bkzhIdB1gydnNFMIToYOv8Ik5lkjM=";

/// The longest text of one message, of a call's arguments or of its result; the rest is told by its
/// length.
const MAX_TEXT: usize = 1_500;
/// The most that transcripts may take: what a browser opens at once. The cases after it are in the
/// runs that the page carries.
const MAX_TRANSCRIPTS: usize = 10_000_000;
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
pub fn html(runs: &Runs, report: &Report, about: &About) -> String {
    let lede = format!(
        "{} runs of {} cases by {} setups; every run scored by a rule that anybody can apply again.",
        report.dots.len(),
        report.n_cases,
        report.setups.len(),
    );
    let mut out = begin(about.title(), &lede);
    write_about(&mut out, about);
    if let Some(words) = report.scripts_note() {
        let _ = write!(out, "<p class=\"scripts\"><b>{}</b></p>", esc(words));
    }
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
    for table in &report.tables(runs) {
        write_table(&mut out, table);
    }
    if !runs.failures.is_empty() {
        let _ = write!(
            out,
            "<p>{} runs failed at their endpoint and are not counted.</p>",
            runs.failures.len()
        );
    }
    write_runs(&mut out, runs, report, MAX_TRANSCRIPTS);
    end(&mut out);
    out
}

/// Who made it, what it is about, and how it is cited.
fn write_about(out: &mut String, about: &About) {
    // Writing to a string cannot fail.
    if let Some(byline) = about.byline() {
        let _ = write!(out, "<p><b>{}</b></p>", esc(&byline));
    }
    for paragraph in about.description.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let _ = write!(out, "<p>{}</p>", esc(paragraph));
    }
    if let Some(link) = about.link() {
        let link = esc(link);
        let _ = write!(out, "<p><a href=\"{link}\" rel=\"noreferrer\">{link}</a></p>");
    }
    if let Some(entry) = about.citation() {
        let _ = write!(
            out,
            "<details><summary>How to cite this</summary><pre>{}</pre></details>",
            esc(&entry)
        );
    }
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
         needs no network and makes no request. To compute every verdict again, drop it on the page \
         Bench of Graphground.</p></header><main>",
        env!("CARGO_PKG_VERSION"),
        plot::STYLE,
        esc(lede),
        title = esc(title),
    )
}

/// The end of a page, with the script for its list of runs.
fn end(out: &mut String) {
    let version = env!("CARGO_PKG_VERSION");
    // Writing to a string cannot fail.
    let _ =
        write!(out, "</main><footer class=\"q\"><p>Made by Graphground {version}.</p></footer>");
    // Where the runs go from which this page was made (`live::changed`).
    let _ = write!(out, "{}{}<script>{SCRIPT}</script>", live::PLACE, live::PLACE_END);
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

/// Cases with their runs, until they take as many bytes.
fn write_runs(out: &mut String, runs: &Runs, report: &Report, most: usize) {
    let labels = report.labels();
    let setups: BTreeMap<&str, (usize, &Setup)> =
        report.setups.iter().enumerate().map(|(i, (h, s))| (h.as_str(), (i, s))).collect();
    let mut by_case: BTreeMap<&str, Vec<&RunEntry>> = BTreeMap::new();
    for run in &runs.runs {
        by_case.entry(&run.key.case).or_default().push(run);
    }
    out.push_str("<section><h2>Every run</h2><p class=\"q\">Open a case for its question, its graph, \
                  and what each model did. Green: what the answer points to and the graph has. Red, \
                  dashed: what it claims and the graph does not have.</p><div class=\"runs\">");
    let (start, mut n_left) = (out.len(), 0);
    for (i, case) in runs.cases.iter().enumerate() {
        let Some(mine) = by_case.get_mut(case.id.as_str()) else { continue };
        if out.len() - start > most {
            n_left += 1;
            continue;
        }
        mine.sort_by_key(|r| (setups.get(r.key.setup.as_str()).map(|s| s.0), r.key.sample));
        let verdicts: String = mine.iter().map(|r| place_of(r.score.verdict).to_string()).collect();
        let _ = write!(
            out,
            "<details class=\"p\" data-f=\"{}\" data-v=\"{verdicts}\"><summary>{}",
            esc(&case.family()),
            esc(&case.id)
        );
        for run in mine.iter() {
            let place = place_of(run.score.verdict);
            let _ = write!(
                out,
                "<span class=\"v v{place}\">{}</span>",
                verdict_title(run.score.verdict)
            );
        }
        out.push_str("</summary><div class=\"b\">");
        let first = mine.first().and_then(|r| setups.get(r.key.setup.as_str()));
        let graph = experiments::find(&case.experiment).ok().and_then(|e| e.graph(case));
        let places = graph.as_ref().and_then(places);
        write_case(out, i, case, graph.as_ref().zip(places.as_ref()), first.map(|s| s.1));
        if graph.is_some() && places.is_none() {
            out.push_str("<p class=\"q\">Too many nodes to draw here.</p>");
        }
        for run in mine.iter() {
            let Some((k, setup)) = setups.get(run.key.setup.as_str()) else { continue };
            // Other words than those above were read: they are shown where they were.
            let asked = |s: &Setup| asked(s, case);
            let other = first.map(|f| asked(f.1)) != Some(asked(setup));
            write_run(out, run, &labels[*k], other.then(|| asked(setup)).as_deref());
            if let Some((graph, places)) = graph.as_ref().zip(places.as_ref()) {
                write_marks(out, i, case, (graph, places), run);
            }
            out.push_str("</div>");
        }
        out.push_str("</div></details>");
    }
    out.push_str("</div>");
    if n_left > 0 {
        let _ = write!(
            out,
            "<p>{n_left} of {} cases are counted in the tables and not listed here, to keep the page \
             small. Drop it on the page Bench of Graphground to see them.</p>",
            runs.cases.len()
        );
    }
    out.push_str("</section>");
}

/// The words that a setup puts to its model.
fn asked(setup: &Setup, case: &Case) -> String {
    experiments::find(&setup.experiment).map_or_else(|_| String::new(), |e| e.question(setup, case))
}

fn places(graph: &Graph) -> Option<Places> {
    (graph.n_nodes() <= MAX_NODES && graph.n_nodes() > 0)
        .then(|| layout(graph, suited(graph), 0, &Places::default()))
}

/// The question and the graph, once for all runs on it.
fn write_case(
    out: &mut String,
    i: usize,
    case: &Case,
    drawn: Option<(&Graph, &Places)>,
    setup: Option<&Setup>,
) {
    let question = setup.map(|s| asked(s, case)).unwrap_or_default();
    out.push_str("<div class=\"two\"><pre>");
    out.push_str(&esc(question.trim()));
    out.push_str("</pre>");
    if let Some((graph, places)) = drawn {
        let [x, y, w, h] = sketch::view(graph, places);
        let _ = write!(
            out,
            "<svg class=\"g\" viewBox=\"{x} {y} {w} {h}\" role=\"img\" aria-label=\"the graph: {} nodes, {} edges\">\
             <g id=\"g{i}\">{}</g></svg>",
            graph.n_nodes(),
            graph.n_edges(),
            sketch::sketch(graph, places)
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
        place_of(run.score.verdict),
        verdict_title(run.score.verdict),
        esc(&run.score.explanation)
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
            StepBody::Program { .. } => {
                let text = part(&step.body.program_text());
                let _ = write!(out, "<li><b>program</b><pre>{text}</pre>");
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
fn write_marks(
    out: &mut String,
    i: usize,
    case: &Case,
    (graph, places): (&Graph, &Places),
    run: &RunEntry,
) {
    let Some(answer) = run.trace.answer() else { return };
    let marks = experiments::find(&case.experiment).ok().and_then(|e| e.marks(case, answer));
    let Some(marks) = marks else { return };
    let edges = |is_false: bool| {
        let pairs = marks
            .edges
            .iter()
            .filter(move |m| (m.kind == MarkKind::False) == is_false && m.kind != MarkKind::Flow)
            .map(|m| (m.source.clone(), m.target.clone()));
        sketch::lines(places, pairs.collect::<Vec<(NodeName, NodeName)>>().into_iter(), false)
    };
    let (right, wrong) = (edges(false), edges(true));
    if right.is_empty() && wrong.is_empty() {
        return;
    }
    let [x, y, w, h] = sketch::view(graph, places);
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
    fn a_page_with_many_cases_says_how_many_it_does_not_list() {
        let seed = include_str!("../../../../fuzz/seeds/runs.jsonl").trim_end();
        let again = seed.lines().skip(4).take(3);
        let again: Vec<String> = again.map(|l| l.replace("cycle-easy-0", "cycle-easy-1")).collect();
        let runs = Runs::read(&format!("{seed}\n{}\n", again.join("\n"))).unwrap();
        let report = Report::of(&runs, crate::report::ReportOptions::default());
        let listed = |most: usize| {
            let mut out = String::new();
            write_runs(&mut out, &runs, &report, most);
            (out.matches("<details").count(), out.contains("1 of 2 cases are counted"))
        };
        assert_eq!((listed(MAX_TRANSCRIPTS), listed(0)), ((2, false), (1, true)));
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(esc("<script>&\"\u{1}"), "&lt;script&gt;&amp;&quot; ");
        assert!(part(&"x".repeat(9_999)).ends_with("(9999 letters)"));
    }
}
