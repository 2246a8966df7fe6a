//! A sheet of results as one HTML file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{begin, end, esc, place_of, write_steps, write_table};
use crate::results::{Sheet, SheetRun};
use crate::tables::verdict_title;

/// The page of a sheet.
///
/// # Complexity
/// O(size of the sheet).
pub fn sheet(sheet: &Sheet, title: &str) -> String {
    let mut out = begin(title, &sheet.lede);
    for table in sheet.tables.iter().filter(|t| !t.rows.is_empty()) {
        write_table(&mut out, table);
    }
    if !sheet.runs.is_empty() {
        write_runs(&mut out, &sheet.runs);
    }
    end(&mut out, !sheet.runs.is_empty());
    out
}

fn write_runs(out: &mut String, runs: &[SheetRun]) {
    let mut order: Vec<(&str, &str)> = Vec::new();
    let mut by_question: BTreeMap<(&str, &str), Vec<&SheetRun>> = BTreeMap::new();
    for run in runs {
        let key = (run.id.as_str(), run.question.as_str());
        let of = by_question.entry(key).or_default();
        if of.is_empty() {
            order.push(key);
        }
        of.push(run);
    }
    out.push_str(
        "<section><h2>Every run</h2><p class=\"q\">Open a question for what each system did.</p>\
         <div class=\"runs\">",
    );
    for key in order {
        let mine = &by_question[&key];
        let verdicts: String = mine.iter().map(|r| place_of(r.verdict).to_string()).collect();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<details class=\"p\" data-f=\"all\" data-v=\"{verdicts}\"><summary>{}",
            esc(if key.0.is_empty() { key.1 } else { key.0 })
        );
        for run in mine {
            let place = place_of(run.verdict);
            let _ = write!(out, "<span class=\"v v{place}\">{}</span>", verdict_title(run.verdict));
        }
        let _ = write!(out, "</summary><div class=\"b\"><pre>{}</pre>", esc(key.1.trim()));
        for run in mine {
            let _ = write!(
                out,
                "<h3>{} <span class=\"v v{}\">{}</span></h3><p>{}</p>",
                esc(&run.setup),
                place_of(run.verdict),
                verdict_title(run.verdict),
                esc(&run.explanation)
            );
            write_steps(out, &run.trace);
        }
        out.push_str("</div></details>");
    }
    out.push_str("</div></section>");
}
