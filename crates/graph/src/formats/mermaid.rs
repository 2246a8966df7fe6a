//! Mermaid's flowcharts.

use super::{Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, short, unmarked};

pub(super) const FORMAT: Format = Format {
    id: "mermaid",
    title: "Mermaid flowchart",
    extensions: &["mmd", "mermaid"],
    reads: "nodes by their texts or ids, links of all kinds (those without a head are undirected), \
            chains, `&`, subgraphs; texts of links that are numbers are weights",
    loses: "styles, clicks, subgraphs, other texts of links",
    keeps: "it is only read",
    is_it,
    parse,
    nth: None,
    write: None,
};

fn is_it(peek: &Peek<'_>) -> bool {
    let mut lines = peek.lines.iter().copied().filter(|l| !l.starts_with("```"));
    let mut first = lines.next().unwrap_or_default();
    if first == "---" {
        // Settings come first, between lines of dashes.
        first = lines.by_ref().skip_while(|l| *l != "---").nth(1).unwrap_or_default();
    }
    is_head(first)
}

/// `flowchart LR`, `graph TD;`.
fn is_head(line: &str) -> bool {
    let mut words = line.split(|c: char| c.is_whitespace() || c == ';').filter(|w| !w.is_empty());
    let word = words.next().unwrap_or_default();
    let direction = words.next();
    let is_direction =
        |w: &str| matches!(w, "TB" | "TD" | "BT" | "RL" | "LR" | ">" | "<" | "^" | "v");
    match word {
        "flowchart" | "flowchart-elk" => direction.is_none_or(is_direction),
        "graph" => direction.is_some_and(is_direction),
        _ => false,
    }
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::new();
    let mut is_begun = false;
    for (i, line) in unmarked(text).lines().enumerate() {
        let (at, line) = (i + 1, line.trim());
        if line.is_empty() || line.starts_with("%%") || line.starts_with("```") {
            continue;
        }
        let mut line = line;
        if !is_begun {
            is_begun = is_head(line);
            match line.split_once(';') {
                Some((_, rest)) if is_begun => line = rest.trim(),
                _ => continue,
            }
        }
        for statement in statements(line) {
            if let Err(error) = read(&mut draft, statement, at) {
                draft.fault_of(at, error);
            }
        }
    }
    if !is_begun {
        return Err(FormatError::new("a flowchart begins with a line such as `flowchart LR`"));
    }
    draft.finish(Direction::Is(true))
}

/// Statements of a line, between semicolons that stand in no text.
fn statements(line: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let (mut start, mut is_quoted, mut depth) = (0, false, 0_i32);
    for (i, c) in line.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '(' | '{' if !is_quoted => depth += 1,
            ']' | ')' | '}' if !is_quoted => depth -= 1,
            ';' if !is_quoted && depth <= 0 => {
                list.push(line[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    list.push(line[start..].trim());
    list.retain(|s| !s.is_empty());
    list
}

fn read(draft: &mut Draft, statement: &str, at: usize) -> Result<(), FormatError> {
    let word = statement.split(char::is_whitespace).next().unwrap_or_default();
    match word {
        "end" | "direction" | "accTitle:" | "accDescr:" => return Ok(()),
        "subgraph" => {
            draft.note(NoteKind::Dropped, "subgraph|, whose nodes are in the whole graph", "", at);
            return Ok(());
        }
        "style" | "classDef" | "class" | "click" | "linkStyle" => {
            draft.note(NoteKind::Dropped, "statement|", word, at);
            return Ok(());
        }
        _ => {}
    }
    let mut rest = statement;
    let mut before = nodes(draft, &mut rest, at)?;
    while !rest.is_empty() {
        let link = link(&mut rest).ok_or_else(|| {
            FormatError::new(format!("`{}` is no link: give one such as -->", short(rest)))
        })?;
        let after = nodes(draft, &mut rest, at)?;
        // An invisible link is there for the drawing alone.
        if link.is_hidden {
            draft.note(NoteKind::Dropped, "invisible link|", "", at);
        } else {
            if before.len() * after.len() > 10_000 {
                return Err(FormatError::new("more than 10000 links in one statement"));
            }
            for &a in &before {
                for &b in &after {
                    let ends = if link.is_turned { (b, a) } else { (a, b) };
                    draft.edge(ends, [None; 2], link.is_directed, at)?;
                    if let Some(text) = link.text {
                        draft.edge_label(text);
                    }
                }
            }
        }
        before = after;
    }
    Ok(())
}

/// Nodes between `&`, taken off the beginning of a statement.
fn nodes(draft: &mut Draft, rest: &mut &str, at: usize) -> Result<Vec<u32>, FormatError> {
    let mut list = Vec::new();
    loop {
        *rest = rest.trim_start();
        let end = id_end(rest);
        if end == 0 {
            return Err(FormatError::new(format!("`{}` is no node", short(rest))));
        }
        let node = draft.node(&rest[..end])?;
        *rest = &rest[end..];
        if let Some(text) = shape(rest) {
            let text = text.trim().trim_matches('"').trim();
            draft.label(node, text.trim_matches('`'));
        }
        if let Some(class) = rest.strip_prefix(":::") {
            draft.note(NoteKind::Dropped, "class| of nodes", "", at);
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
            *rest = &class[class.find(is_end).unwrap_or(class.len())..];
        }
        list.push(node);
        *rest = rest.trim_start();
        match rest.strip_prefix('&') {
            Some(next) => *rest = next,
            None => return Ok(list),
        }
    }
}

/// Where the id at the beginning of a text ends: dashes may be in it, links may not.
fn id_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let next = chars.peek().map(|c| c.1);
        let is_in = match c {
            '-' => next.is_some_and(|n| n.is_alphanumeric()) && i > 0,
            '.' | '/' | ':' if c != ':' || next != Some(':') => {
                next.is_some_and(char::is_alphanumeric)
            }
            c => c.is_alphanumeric() || c == '_' || !c.is_ascii(),
        };
        if !is_in || ("→↔←".contains(c)) {
            return i;
        }
    }
    text.len()
}

/// The text of a node's shape, taken off the beginning.
fn shape<'a>(rest: &mut &'a str) -> Option<&'a str> {
    const OPEN: [char; 4] = ['[', '(', '{', '>'];
    if let Some(data) = rest.strip_prefix("@{") {
        // `@{ shape: rect, label: "…" }`.
        let end = data.find('}')?;
        *rest = &data[end + 1..];
        let label = data[..end].split_once("label:")?.1.trim();
        return Some(label.split(',').next().unwrap_or(label));
    }
    if !rest.starts_with(OPEN) {
        return None;
    }
    let inner = rest.trim_start_matches(['[', '(', '{', '>', '/', '\\']);
    let n_open = rest.len() - inner.len();
    let (text, behind) = match inner.trim_start().strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => {
            let end = inner.find([']', ')', '}'])?;
            (inner[..end].trim_end_matches(['/', '\\']), &inner[end..])
        }
    };
    let behind = behind.trim_start();
    let closing = behind.trim_start_matches([']', ')', '}', '/', '\\']);
    let n_close = (behind.len() - closing.len()).min(n_open.max(1));
    *rest = &behind[n_close..];
    Some(text)
}

struct Link<'a> {
    is_directed: Option<bool>,
    is_turned: bool,
    is_hidden: bool,
    text: Option<&'a str>,
}

/// A link, taken off the beginning: `-->`, `-- text -->`, `-->|text|`, `-.->`, `==>`, `<-->`, `o--x`, `~~~`.
fn link<'a>(rest: &mut &'a str) -> Option<Link<'a>> {
    let text = rest.trim_start();
    let is_line = |c: char| matches!(c, '-' | '=' | '.' | '~');
    let tail = text.strip_prefix(['<', 'o', 'x']).filter(|t| t.starts_with(is_line));
    let has_tail = text.starts_with('<') && tail.is_some();
    let line = tail.unwrap_or(text);
    if !line.starts_with(is_line) {
        return None;
    }
    let end = line.find(|c| !is_line(c)).unwrap_or(line.len());
    let stroke = &line[..end];
    if end < 2 {
        return None;
    }
    let mut behind = &line[end..];
    let mut head = take_head(&mut behind);
    let mut said = None;
    // A stroke of two without a head has a text and continues after it.
    if head.is_none() && matches!(stroke, "--" | "==" | "-.") {
        let again = behind.find(match stroke {
            "--" => "--",
            "==" => "==",
            _ => ".-",
        })?;
        said = Some(behind[..again].trim().trim_matches('"'));
        behind = behind[again..].trim_start_matches(is_line);
        head = take_head(&mut behind);
    } else if let Some(inner) = behind.trim_start().strip_prefix('|') {
        let (inner, after) = inner.split_once('|')?;
        said = Some(inner.trim().trim_matches('"'));
        behind = after;
    }
    *rest = behind;
    let is_turned = has_tail && head.is_none();
    Some(Link {
        is_directed: Some(head == Some('>') && !has_tail || is_turned),
        is_turned,
        is_hidden: stroke.starts_with('~'),
        text: said,
    })
}

/// The head of a link; a circle or a cross is one where a node comes behind it.
fn take_head(rest: &mut &str) -> Option<char> {
    let head = rest.chars().next().filter(|c| matches!(c, '>' | 'o' | 'x'))?;
    let behind = &rest[1..];
    if head != '>' && !behind.starts_with([' ', '|']) {
        return None;
    }
    *rest = behind;
    Some(head)
}
