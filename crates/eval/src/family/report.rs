//! The tables of the paper over lines of ours.

use std::collections::BTreeMap;

use systems::kgetool::{Method, Source};
use tasks::family::score::{CallScore, CallSummary, ExtractionScore, ExtractionSummary, Mode};
use tasks::family::{Cell, FamilyError, MAX_FILE_BYTES, MAX_LINE_BYTES};

use super::FamilyLine;
use crate::stats::wilson;
use crate::tables::{Line, Table, bounds};
use systems::kgetool::published::{
    Calls, SOURCE, TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_7, TABLE_8, TABLE_8_CALLERS,
};

/// The samples of the paper's test sets.
const N_PUBLISHED: usize = 483;
/// The most lines that are read.
pub const MAX_LINES: usize = 200_000;

/// Reads lines, one as JSON each.
///
/// # Errors
/// One of them is none, or there is too much.
pub fn read(text: &str) -> Result<Vec<FamilyLine>, FamilyError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(FamilyError::TooMany { what: "bytes", limit: MAX_FILE_BYTES });
    }
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |message: String| FamilyError::Line { line: i + 1, message };
        if line.len() > MAX_LINE_BYTES {
            let n = line.len();
            return Err(wrong(format!("it has {n} bytes; at most {MAX_LINE_BYTES} are read")));
        }
        if lines.len() >= MAX_LINES {
            return Err(FamilyError::TooMany { what: "lines", limit: MAX_LINES });
        }
        let read = serde_json::from_str(line)
            .map_err(|e| wrong(format!("a result of a request was expected: {e}")))?;
        lines.push(read);
    }
    Ok(lines)
}

/// Tables 3 to 8 of the paper over our lines, and two of our own: by what is new, and by hops. A
/// table about which there are no lines has the paper's rows alone.
pub fn tables(lines: &[FamilyLine], rules: Mode) -> Vec<Table> {
    let by = match rules {
        Mode::Paper => "Measured by the paper's words.",
        Mode::Compat => "Measured as the paper's public code does.",
    };
    let note = format!("{by} 95 %: Wilson's interval. Reference rows: {SOURCE}.");
    let told = |source, method: Option<Method>| -> Vec<&FamilyLine> {
        let is = |l: &&FamilyLine| l.source == source && method.is_none_or(|m| l.method == m);
        lines.iter().filter(is).collect()
    };
    let calls = |number: u8, title: &str, lines: Vec<&FamilyLine>, published: &Calls| {
        call_table(number, title, &note, &lines, published, rules)
    };
    let extracted = Source::Extracted;
    vec![
        extraction_table(&told(extracted, None), &note, rules),
        calls(4, "Calls with the golden sub-graph", told(Source::Golden, None), &TABLE_4),
        calls(5, "Calls with Greedy Search", told(extracted, Some(Method::Gs)), &TABLE_5),
        calls(6, "Calls with Relation Retrieval", told(extracted, Some(Method::Rr)), &TABLE_6),
        calls(7, "Calls with the whole graph", told(Source::Full, None), &TABLE_7),
        cross_table(&told(extracted, Some(Method::Gs)), &note, rules),
        parts_table(lines, rules, "By what is new", by, |l| match l.noise {
            Some(noise) => (9, noise.title().to_owned()),
            None => (
                Cell::ALL.iter().position(|c| *c == l.cell).unwrap_or_default(),
                l.cell.title().to_owned(),
            ),
        }),
        parts_table(lines, rules, "By hops", by, |l| (l.depth, format!("{} hops", l.depth))),
    ]
}

fn percent(value: f64) -> String {
    format!("{value:.2}")
}

/// A share of samples in percent, and the bounds of its interval.
fn with_interval(share: f64, n_samples: usize) -> [String; 2] {
    let n = n_samples as f64;
    [percent(share), bounds(wilson(share / 100.0 * n, n))]
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn reference(cells: Vec<String>) -> Line {
    Line { is_reference: true, ..Line::new(cells) }
}

fn extraction_table(lines: &[&FamilyLine], note: &str, rules: Mode) -> Table {
    let mut groups: BTreeMap<(&str, Method, &str), Vec<ExtractionScore>> = BTreeMap::new();
    for line in lines {
        let key = (line.extract_model.as_str(), line.method, line.mode.name());
        groups.entry(key).or_default().push(line.scores(rules).extraction);
    }
    let mut rows: Vec<Line> = groups
        .iter()
        .map(|((model, method, mode), scores)| {
            let s = ExtractionSummary::of(scores, rules);
            let rest = [s.f1, s.no_hallucination, s.coverage].map(percent);
            let cells = [(*model).to_owned(), format!("{} ({mode})", method.title())];
            let exact = with_interval(s.exact_match, s.n_samples);
            Line::new([&cells[..], &[s.n_samples.to_string()], &exact, &rest].concat())
        })
        .collect();
    for (model, greedy, retrieval) in &TABLE_3 {
        for (method, figures) in [(Method::Gs, greedy), (Method::Rr, retrieval)] {
            let cells = [(*model).to_owned(), method.title().to_owned(), N_PUBLISHED.to_string()];
            let exact = with_interval(figures[0], N_PUBLISHED);
            let rest: Vec<String> = figures[1..].iter().map(|f| percent(*f)).collect();
            rows.push(reference([&cells[..], &exact, &rest].concat()));
        }
    }
    let names =
        ["Model", "Search", "#Samples", "#EM", "#95 %", "#F1", "#No hallucination", "#Coverage"];
    let title = "Extraction (Table 3)".to_owned();
    Table { title, note: note.to_owned(), head: head(&names), rows }
}

fn call_table(
    number: u8,
    title: &str,
    note: &str,
    lines: &[&FamilyLine],
    published: &Calls,
    rules: Mode,
) -> Table {
    let mut groups: BTreeMap<(&str, &str), Vec<CallScore>> = BTreeMap::new();
    for line in lines {
        let key = (line.extract_model.as_str(), line.call_model.as_str());
        groups.entry(key).or_default().push(line.scores(rules).call);
    }
    let mut rows: Vec<Line> = groups
        .iter()
        .map(|((extract, call), scores)| {
            let s = CallSummary::of(scores);
            let model = if extract.is_empty() || extract == call {
                (*call).to_owned()
            } else {
                format!("{call}, after {extract}")
            };
            let [tool, value] = [s.tool, s.value].map(percent);
            let [em, around] = with_interval(s.exact_match, s.n_samples);
            Line::new(vec![model, s.n_samples.to_string(), em, around, tool, value])
        })
        .collect();
    rows.extend(published.iter().map(|(model, figures)| {
        let [em, tool, value] = *figures;
        let [em, around] = with_interval(em, N_PUBLISHED);
        let [tool, value] = [tool, value].map(percent);
        reference(vec![(*model).to_owned(), N_PUBLISHED.to_string(), em, around, tool, value])
    }));
    Table {
        title: format!("{title} (Table {number})"),
        note: note.to_owned(),
        head: head(&["Model", "#Samples", "#EM", "#95 %", "#Tool Acc.", "#Value Acc."]),
        rows,
    }
}

fn cross_table(lines: &[&FamilyLine], note: &str, rules: Mode) -> Table {
    let mut groups: BTreeMap<(&str, &str), Vec<CallScore>> = BTreeMap::new();
    for line in lines {
        let key = (line.extract_model.as_str(), line.call_model.as_str());
        groups.entry(key).or_default().push(line.scores(rules).call);
    }
    let mut rows: Vec<Line> = groups
        .iter()
        .map(|((extract, call), scores)| {
            let em = percent(CallSummary::of(scores).exact_match);
            Line::new(vec![(*extract).to_owned(), (*call).to_owned(), em])
        })
        .collect();
    for (extract, figures) in &TABLE_8 {
        for (call, em) in TABLE_8_CALLERS.iter().zip(figures) {
            rows.push(reference(vec![(*extract).to_owned(), (*call).to_owned(), percent(*em)]));
        }
    }
    Table {
        title: "One model to extract, another to call (Table 8)".to_owned(),
        note: note.to_owned(),
        head: head(&["Extracts", "Calls", "#EM"]),
        rows,
    }
}

fn parts_table(
    lines: &[FamilyLine],
    rules: Mode,
    title: &str,
    note: &str,
    part: impl Fn(&FamilyLine) -> (usize, String),
) -> Table {
    let mut groups: BTreeMap<(usize, String), Vec<&FamilyLine>> = BTreeMap::new();
    for line in lines {
        groups.entry(part(line)).or_default().push(line);
    }
    let rows = groups
        .into_iter()
        .map(|((_, name), lines)| {
            let extraction: Vec<ExtractionScore> =
                lines.iter().map(|l| l.scores(rules).extraction).collect();
            let calls: Vec<CallScore> = lines.iter().map(|l| l.scores(rules).call).collect();
            let (e, c) = (ExtractionSummary::of(&extraction, rules), CallSummary::of(&calls));
            let figures =
                [e.exact_match, e.f1, e.coverage, c.exact_match, c.tool, c.value].map(percent);
            Line::new([&[name, lines.len().to_string()][..], &figures].concat())
        })
        .collect();
    let names = [
        "Part",
        "#Samples",
        "#Extraction EM",
        "#F1",
        "#Coverage",
        "#Call EM",
        "#Tool Acc.",
        "#Value Acc.",
    ];
    Table { title: title.to_owned(), note: note.to_owned(), head: head(&names), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, method: Method, source: Source, em: f64) -> FamilyLine {
        let call = CallScore { exact_match: em, tool: 1.0, value: em };
        let extraction = ExtractionScore { exact_match: em, f1: em, ..ExtractionScore::default() };
        let scores = systems::kgetool::Scores { extraction, call };
        FamilyLine {
            id: id.into(),
            extract_model: "one".into(),
            call_model: "two".into(),
            method,
            mode: Mode::Paper,
            k: 3,
            source,
            searches: Vec::new(),
            links: Vec::new(),
            calls: Vec::new(),
            paper: scores,
            compat: scores,
            stopped: None,
            cell: Cell::default(),
            noise: None,
            depth: 2,
        }
    }

    #[test]
    fn our_rows_stand_before_the_papers_and_add_up() {
        let lines = [
            line("a", Method::Gs, Source::Extracted, 1.0),
            line("b", Method::Gs, Source::Extracted, 0.0),
            line("c", Method::Rr, Source::Extracted, 1.0),
            line("d", Method::Gs, Source::Golden, 1.0),
        ];
        let tables = tables(&lines, Mode::Paper);
        let first = |i: usize| tables[i].rows[0].cells.clone();
        assert_eq!(first(0)[..4], ["one", "Greedy Search (paper)", "2", "50.00"]);
        assert_eq!(first(1)[..3], ["two, after one", "1", "100.00"]);
        assert_eq!(first(2)[2..], ["50.00", "9.5–90.5", "100.00", "50.00"]);
        assert!(tables[4].rows.iter().all(|r| r.is_reference));
        assert_eq!(first(5), ["one", "two", "50.00"]);
        assert_eq!(tables[5].rows.iter().filter(|r| r.is_reference).count(), 35);
        assert_eq!(first(7)[..2], ["2 hops", "4"]);
        assert!(tables.iter().flat_map(|t| &t.rows).all(|r| !r.cells.is_empty()));
    }

    #[test]
    fn lines_survive_a_file() {
        let lines = vec![line("a", Method::Gs, Source::Extracted, 1.0)];
        let text = serde_json::to_string(&lines[0]).unwrap();
        assert_eq!(read(&format!("{text}\n\n")).unwrap(), lines);
        assert!(read("{\"id\":").unwrap_err().to_string().starts_with("line 1:"));
    }
}
