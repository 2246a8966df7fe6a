//! Triples as lists of Python's, one a line: `['Bob', 'mother', 'Alice']`.

use super::{Faults, Format, line_faults};
use crate::{Kg, KgBuilder};

/// As FamilyTool has its graphs.
pub(super) const FORMAT: Format = Format {
    id: "triple_lists",
    title: "Triples as lists, one a line",
    endings: &["txt"],
    example: "['Bob', 'knows', 'Alice']",
    keeps: "ids and edges; no types, names, attributes and no nodes without edges",
    read,
    write,
};

fn read(text: &str, into: &mut KgBuilder) -> Faults {
    line_faults(text, "file of triples as lists", |line| {
        let mut reader = Reader { line, at: 0 };
        let [source, relation, target] = reader.triple()?;
        into.edge(&source, &relation, &target).map(|()| true).map_err(|e| (1, e.to_string()))
    })
}

struct Reader<'a> {
    line: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn triple(&mut self) -> Result<[String; 3], (usize, String)> {
        self.expect('[')?;
        let source = self.text()?;
        self.expect(',')?;
        let relation = self.text()?;
        self.expect(',')?;
        let target = self.text()?;
        self.expect(']')?;
        // A list of lists has a comma behind each.
        let rest = self.line[self.at..].trim();
        if !rest.is_empty() && rest != "," {
            return Err(self.fault("the end of the line"));
        }
        Ok([source, relation, target])
    }

    fn skip(&mut self) {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn fault(&self, expected: &str) -> (usize, String) {
        let column = self.line[..self.at].chars().count() + 1;
        let found = match self.line[self.at..].chars().next() {
            Some(c) => format!("{c:?}"),
            None => "the end of the line".into(),
        };
        (column, format!("found {found}; expected {expected}, as in ['Bob', 'mother', 'Alice']"))
    }

    fn expect(&mut self, wanted: char) -> Result<(), (usize, String)> {
        self.skip();
        if !self.line[self.at..].starts_with(wanted) {
            return Err(self.fault(&format!("{wanted:?}")));
        }
        self.at += wanted.len_utf8();
        Ok(())
    }

    /// A text in single or double quotation marks.
    fn text(&mut self) -> Result<String, (usize, String)> {
        self.skip();
        let mark = match self.line[self.at..].chars().next() {
            Some(c @ ('\'' | '"')) => c,
            _ => return Err(self.fault("a text in quotation marks")),
        };
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.line[self.at..].chars().next() {
            self.at += c.len_utf8();
            if c == mark {
                return Ok(text);
            }
            text.push(if c == '\\' { self.escaped()? } else { c });
        }
        self.at = start;
        Err(self.fault("a text that ends with the mark that it begins with"))
    }

    fn escaped(&mut self) -> Result<char, (usize, String)> {
        let start = self.at;
        let c = self.line[self.at..].chars().next();
        self.at += c.map_or(0, char::len_utf8);
        let n_digits = match c {
            Some('n') => return Ok('\n'),
            Some('t') => return Ok('\t'),
            Some('r') => return Ok('\r'),
            Some(c @ ('\\' | '\'' | '"')) => return Ok(c),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => {
                self.at = start;
                return Err(self.fault("one of n t r \\ ' \" x u U behind a backslash"));
            }
        };
        let digits = self.line.get(self.at..self.at + n_digits);
        let found = digits.and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
        match found {
            Some(c) => {
                self.at += n_digits;
                Ok(c)
            }
            None => Err(self.fault(&format!("{n_digits} digits of a character"))),
        }
    }
}

fn write(kg: &Kg) -> String {
    let mut text = String::new();
    for (source, edge_type, target) in kg.edges() {
        let relation = kg.schema().edge_type(edge_type).name.as_str();
        text.push('[');
        for (i, part) in [kg.id(source), relation, kg.id(target)].into_iter().enumerate() {
            if i > 0 {
                text.push_str(", ");
            }
            put(part, &mut text);
        }
        text.push_str("]\n");
    }
    text
}

fn put(part: &str, text: &mut String) {
    let mark = if part.contains('\'') && !part.contains('"') { '"' } else { '\'' };
    text.push(mark);
    for c in part.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\\' => text.push_str("\\\\"),
            c if c == mark => text.extend(['\\', c]),
            c if c.is_control() || c == '\u{2028}' => {
                text.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => text.push(c),
        }
    }
    text.push(mark);
}
