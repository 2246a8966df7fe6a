//! Reads the kit's notation of values.

use std::str::FromStr;

use super::expected::{KitEdge, KitHop, KitMap, KitNode, KitValue, in_plain_name};

/// How deep values may stand in each other; the kit's own stay below ten.
const MAX_DEPTH: usize = 100;

/// Why a text is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no value: expected {expected} at byte {at}")]
pub(crate) struct NotationError {
    /// The whole text.
    pub text: String,
    /// What should stand there.
    pub expected: &'static str,
    /// Where.
    pub at: usize,
}

impl FromStr for KitValue {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let value = reader.value()?;
        reader.space();
        match reader.rest().is_empty() {
            true => Ok(value),
            false => Err(reader.error("the end")),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

type Read<T> = Result<T, NotationError>;

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, expected: &'static str) -> NotationError {
        NotationError { text: self.text.to_owned(), expected, at: self.at }
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Steps over a token, with the space before it, where that is next.
    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let is_next = self.rest().starts_with(token);
        self.at += if is_next { token.len() } else { 0 };
        is_next
    }

    fn must(&mut self, token: &'static str) -> Read<()> {
        if self.eat(token) { Ok(()) } else { Err(self.error(token)) }
    }

    fn peek(&mut self) -> Option<char> {
        self.space();
        self.rest().chars().next()
    }

    fn value(&mut self) -> Read<KitValue> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("fewer values in each other"));
        }
        let value = match self.peek() {
            Some('(') => self.node().map(KitValue::Node),
            Some('<') => self.path(),
            Some('{') => self.map().map(KitValue::Map),
            Some('\'') => self.string().map(KitValue::Text),
            Some('[') if self.rest()[1..].trim_start().starts_with(':') => {
                self.edge().map(KitValue::Edge)
            }
            Some('[') => self.list(),
            Some(first) if first.is_ascii_digit() || first == '-' || first == '.' => self.number(),
            _ => self.word(),
        }?;
        self.depth -= 1;
        Ok(value)
    }

    fn node(&mut self) -> Read<KitNode> {
        self.must("(")?;
        let mut node = KitNode::default();
        while self.eat(":") {
            node.labels.insert(self.name()?);
        }
        if self.peek() == Some('{') {
            node.properties = self.map()?;
        }
        self.must(")")?;
        Ok(node)
    }

    fn edge(&mut self) -> Read<KitEdge> {
        self.must("[")?;
        self.must(":")?;
        let edge_type = self.name()?;
        let properties = if self.peek() == Some('{') { self.map()? } else { KitMap::new() };
        self.must("]")?;
        Ok(KitEdge { edge_type, properties })
    }

    fn path(&mut self) -> Read<KitValue> {
        self.must("<")?;
        let start = self.node()?;
        let mut hops = Vec::new();
        while !self.eat(">") {
            let forward = !self.eat("<-");
            if forward {
                self.must("-")?;
            }
            let edge = self.edge()?;
            self.must(if forward { "->" } else { "-" })?;
            hops.push(KitHop { forward, edge, node: self.node()? });
        }
        Ok(KitValue::Path(start, hops))
    }

    fn list(&mut self) -> Read<KitValue> {
        self.must("[")?;
        let mut list = Vec::new();
        if self.eat("]") {
            return Ok(KitValue::List(list));
        }
        loop {
            list.push(self.value()?);
            if !self.eat(",") {
                self.must("]")?;
                return Ok(KitValue::List(list));
            }
        }
    }

    fn map(&mut self) -> Read<KitMap> {
        self.must("{")?;
        let mut map = KitMap::new();
        if self.eat("}") {
            return Ok(map);
        }
        loop {
            let name = self.name()?;
            self.must(":")?;
            if map.insert(name, self.value()?).is_some() {
                return Err(self.error("every name once"));
            }
            if !self.eat(",") {
                self.must("}")?;
                return Ok(map);
            }
        }
    }

    /// A label, a type or a name of a value.
    fn name(&mut self) -> Read<String> {
        if self.eat("`") {
            let mut name = String::new();
            loop {
                let rest = self.rest();
                let Some(end) = rest.find('`') else { return Err(self.error("`")) };
                name.push_str(&rest[..end]);
                self.at += end + 1;
                if !self.rest().starts_with('`') {
                    return Ok(name);
                }
                name.push('`');
                self.at += 1;
            }
        }
        self.space();
        let name = self.take_while(in_plain_name);
        if name.is_empty() { Err(self.error("a name")) } else { Ok(name.to_owned()) }
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn string(&mut self) -> Read<String> {
        self.must("'")?;
        let mut text = String::new();
        let mut letters = self.rest().char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\'' => {
                    self.at += at + 1;
                    return Ok(text);
                }
                '\\' => match letters.next().map(|(_, letter)| letter) {
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some(quoted @ ('\'' | '"' | '\\')) => text.push(quoted),
                    // The kit escapes nothing else: what it writes stands for itself.
                    other => text.extend([Some('\\'), other].into_iter().flatten()),
                },
                other => text.push(other),
            }
        }
        Err(self.error("' at the end of the text"))
    }

    fn number(&mut self) -> Read<KitValue> {
        if self.eat("-Inf") {
            return Ok(KitValue::float(f64::NEG_INFINITY));
        }
        let from = self.at;
        let written =
            self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
        let value = if written.contains(['.', 'e', 'E']) {
            written.parse().ok().map(KitValue::float)
        } else {
            written.parse().ok().map(KitValue::Int)
        };
        value.ok_or_else(|| {
            self.at = from;
            self.error("a number that fits")
        })
    }

    fn word(&mut self) -> Read<KitValue> {
        let from = self.at;
        Ok(match self.take_while(char::is_alphanumeric) {
            "null" => KitValue::Null,
            "true" => KitValue::Bool(true),
            "false" => KitValue::Bool(false),
            "NaN" => KitValue::float(f64::NAN),
            "Inf" => KitValue::float(f64::INFINITY),
            _ => {
                self.at = from;
                return Err(self.error("a value"));
            }
        })
    }
}
