//! SIF, the simple interaction format of Cytoscape: `source relation target …`.

use rustc_hash::FxHashSet;

use super::{Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, lines};

pub(super) const FORMAT: Format = Format {
    id: "sif",
    title: "SIF (Cytoscape)",
    extensions: &["sif"],
    reads: "`source relation target …` with tabs or blanks between, and lines with one node",
    loses: "relations",
    keeps: "it is only read",
    is_it,
    parse,
    nth: None,
    write: None,
};

fn cells(line: &str, has_tabs: bool) -> Vec<&str> {
    let cells: Vec<&str> =
        if has_tabs { line.split('\t').collect() } else { line.split_whitespace().collect() };
    cells.into_iter().map(str::trim).filter(|c| !c.is_empty()).collect()
}

/// The middle of three words is one of few, and no number.
fn is_it(peek: &Peek<'_>) -> bool {
    let has_tabs = peek.lines.iter().any(|l| l.contains('\t'));
    let mut relations = FxHashSet::default();
    let mut n = 0;
    for line in &peek.lines {
        let cells = cells(line, has_tabs);
        match &cells[..] {
            [_] => {}
            [_, relation, _, ..] => {
                let is_word = |w: &str| w.chars().any(char::is_alphabetic);
                if !is_word(relation) || relation.ends_with(['.', ',', ':', ';', '?', '!']) {
                    return false;
                }
                relations.insert(*relation);
                n += 1;
            }
            _ => return false,
        }
        if line.ends_with(['.', '?', '!', ';', '{', '}', ':']) {
            return false;
        }
    }
    n > 1 && relations.len() * 2 <= n.max(2)
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let has_tabs = lines(text).any(|(_, l)| l.contains('\t'));
    let mut draft = Draft::new();
    for (at, line) in lines(text).filter(|(_, l)| super::sign::comment(l).is_none()) {
        match &cells(line, has_tabs)[..] {
            [] => {}
            [node] => {
                if let Err(error) = draft.node(node) {
                    draft.fault_of(at, error);
                }
            }
            [_, _] => draft.fault(at, "two words: give `source relation target`"),
            [source, _, targets @ ..] => {
                draft.note(NoteKind::Dropped, "relation| between nodes", "", at);
                for target in targets {
                    draft.link([source, target], [None; 2], None, at);
                }
            }
        }
    }
    draft.finish(Direction::Assumed(true))
}
