//! The program in a reply, which may be anything.

/// What stands at the beginning of a block of Python.
const LABELS: [&str; 5] = ["python", "python3", "py", "py3", "ipython"];
/// What a program has that gives an answer.
const PRINTS: &str = "print";

/// A program, as it stood in a reply.
#[derive(Debug, PartialEq)]
pub(crate) struct Extracted {
    pub(crate) code: String,
    /// What was read otherwise than it was asked for.
    pub(crate) notes: Vec<String>,
}

/// A fenced block.
struct Block {
    /// What stands behind the opening fence, in lower case.
    label: String,
    code: String,
    is_closed: bool,
}

/// The program of a reply. Of several blocks of Python it is the last that prints: a model that writes in
/// pieces puts them together at the end. What a block of another language says is no program. A block
/// that is never closed ends with the reply, and a reply without any block is a program where it prints.
///
/// # Errors
/// There is none; says what there is instead.
pub(crate) fn extract(reply: &str) -> Result<Extracted, String> {
    let blocks = blocks(reply);
    let of_python: Vec<&Block> = match blocks.iter().any(|b| is_python(&b.label)) {
        true => blocks.iter().filter(|b| is_python(&b.label)).collect(),
        false => blocks.iter().filter(|b| b.label.is_empty()).collect(),
    };
    let full: Vec<&Block> = of_python.into_iter().filter(|b| !b.code.trim().is_empty()).collect();
    let mut notes = Vec::new();
    let Some(last) = full.iter().rev().find(|b| b.code.contains(PRINTS)).or(full.last()) else {
        if !blocks.is_empty() {
            return Err("the reply has a block, and none of Python".to_owned());
        }
        if !reply.contains("print(") {
            return Err("the reply has no program in it".to_owned());
        }
        notes.push("The reply has no block, so all of it was run.".to_owned());
        return Ok(Extracted { code: reply.trim().to_owned(), notes });
    };
    if full.len() > 1 {
        let n = full.len();
        notes.push(format!("The reply has {n} blocks of Python; the last that prints was run."));
    }
    if !last.is_closed {
        notes.push("The block is never closed; it was run to the end of the reply.".to_owned());
    }
    Ok(Extracted { code: last.code.clone(), notes })
}

fn is_python(label: &str) -> bool {
    LABELS.contains(&label)
}

/// The fenced blocks of a text, in their order. Those in a list are moved out to the margin.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The mark of the open fence, its length, and how far it is moved in.
    let mut open: Option<(char, usize, usize)> = None;
    for line in text.lines() {
        let inner = line.trim_start();
        let indent = line.len() - inner.len();
        let mark = inner.chars().next().filter(|c| matches!(c, '`' | '~'));
        let n_marks = mark.map_or(0, |mark| inner.chars().take_while(|c| *c == mark).count());
        let rest = inner[n_marks..].trim();
        match (open, mark) {
            (Some((opened, least, _)), Some(mark))
                if mark == opened && n_marks >= least && rest.is_empty() =>
            {
                open = None;
                if let Some(block) = blocks.last_mut() {
                    block.is_closed = true;
                }
            }
            (Some((_, _, moved)), _) => {
                if let Some(block) = blocks.last_mut() {
                    block.code.push_str(&line[moved.min(indent)..]);
                    block.code.push('\n');
                }
            }
            // What has a fence in it is code within a line.
            (None, Some(mark)) if n_marks >= 3 && !rest.contains(mark) => {
                open = Some((mark, n_marks, indent));
                let word = rest.split_whitespace().next().unwrap_or_default();
                let label = word.trim_matches(['{', '}', '.']).to_lowercase();
                blocks.push(Block { label, code: String::new(), is_closed: false });
            }
            (None, _) => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(reply: &str) -> String {
        extract(reply).unwrap().code
    }

    #[test]
    fn the_block_of_python_is_the_program_and_nothing_else_is() {
        assert_eq!(code("So:\n```python\nprint(1)\n```\nIt prints 1."), "print(1)\n");
        for fence in ["```py", "```Python3", "``` python", "~~~python", "```{python}", "```"] {
            let close = &fence[..3];
            assert_eq!(code(&format!("{fence}\nprint(1)\n{close}")), "print(1)\n", "{fence}");
        }
        let output = "```python\nprint(4)\n```\n\n```output\nprint of 4\n```\n```\n4\n```";
        assert_eq!(extract(output), Ok(Extracted { code: "print(4)\n".into(), notes: vec![] }));
        // Deeper lines keep what they are moved in by; a fence within a string is no end of the block.
        let listed = "1. Run\n   ```python\n   if True:\n       print(1)\n   ```";
        assert_eq!(code(listed), "if True:\n    print(1)\n");
        assert_eq!(code("````python\nprint('''\n```\n''')\n````"), "print('''\n```\n''')\n");
    }

    #[test]
    fn of_several_blocks_the_last_that_prints_is_run() {
        let pieces = "```python\nprint(1)\n```\n```python\nprint(2)\n```\n```python\n# done\n```";
        let Extracted { code, notes } = extract(pieces).unwrap();
        assert_eq!((code.as_str(), notes.len()), ("print(2)\n", 1));
        assert!(notes[0].contains("3 blocks"), "{notes:?}");
    }

    #[test]
    fn what_is_missing_is_said() {
        let open = extract("```python\nprint(1)").unwrap();
        assert!(open.code == "print(1)\n" && open.notes[0].contains("never closed"), "{open:?}");
        let bare = extract("import networkx as nx\nprint(1)\n").unwrap();
        assert!(bare.code.starts_with("import") && bare.notes[0].contains("no block"), "{bare:?}");
        for (reply, why) in [
            ("The answer is yes.", "no program"),
            ("", "no program"),
            ("```json\n{}\n```", "none of Python"),
            ("```python\n\n```", "none of Python"),
            ("Call ```print(1)``` now.", "no program"),
        ] {
            let said = extract(reply);
            // Code within a line is a text like any other.
            let is_run = reply.contains("print(");
            assert!(is_run || said.as_ref().is_err_and(|e| e.contains(why)), "{reply}: {said:?}");
        }
    }
}
