//! Names that no table has: one behind `#` is spelled, and every other one gets a number in this
//! conversation.

mod finder;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::vocabulary::{FIRST_NAME, N_NAMES, N_NODES};

/// The first number that means a name or a large number: those below it are themselves.
pub const FIRST_NAMED: u32 = 160;
/// Names of a text are these characters while its lists are read, the first for number 0.
const FIRST_SIGN: u32 = 0xE000;

/// The character for a number of [`TalkNames`].
fn sign(number: u32) -> char {
    char::from_u32(FIRST_SIGN + number).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The number of such a character.
pub(crate) fn signed(c: char) -> Option<u32> {
    u32::from(c).checked_sub(FIRST_SIGN).filter(|n| (FIRST_NAMED..N_NODES).contains(n))
}

/// What a conversation calls by names: those it spells, and those that are numbers to the model.
///
/// People's names, words that the table does not have and numbers from 160 on are numbers between 160
/// and 255 to the model, the same one at each mention. In calls and answers they come
/// back as they were first written.
#[derive(Clone, Debug)]
pub struct TalkNames {
    /// The latest ones that were spelled, each at its number.
    spelled: Vec<String>,
    n_spelled: usize,
    /// Numbers from this one on are names.
    first: u32,
    /// Numbers that nothing has yet, the next one last.
    free: Vec<u32>,
    /// The number of each name, in lower case.
    numbers: BTreeMap<String, u32>,
    /// The names as they were first written.
    texts: BTreeMap<u32, String>,
}

impl Default for TalkNames {
    fn default() -> Self {
        Self::with_numbers((FIRST_NAMED..N_NODES).collect())
    }
}

impl TalkNames {
    /// None so far; they get these numbers, one after the other. What is no number of a name is left
    /// out.
    pub fn with_numbers(numbers: Vec<u32>) -> Self {
        let mut free = numbers;
        free.retain(|n| (FIRST_NAMED..N_NODES).contains(n));
        free.reverse();
        Self {
            spelled: Vec::new(),
            n_spelled: 0,
            first: FIRST_NAMED,
            free,
            numbers: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    /// For weights that learned no names: a number is itself, and a name is nothing.
    pub(crate) fn unknown() -> Self {
        Self { first: N_NODES, ..Self::with_numbers(Vec::new()) }
    }

    /// Whether names have numbers in this conversation.
    pub(crate) fn has_numbers(&self) -> bool {
        self.first < N_NODES
    }

    /// The token with which a name that is spelled begins.
    pub(crate) fn spell(&mut self, name: &str) -> u32 {
        let known = self.spelled.iter().position(|known| known == name);
        let place = known.unwrap_or_else(|| {
            let place = self.n_spelled % N_NAMES as usize;
            self.n_spelled += 1;
            match self.spelled.get_mut(place) {
                Some(oldest) => name.clone_into(oldest),
                None => self.spelled.push(name.to_owned()),
            }
            place
        });
        FIRST_NAME + place as u32
    }

    /// How many names are numbers so far.
    pub fn n_named(&self) -> usize {
        self.texts.len()
    }

    /// The names as they were first written, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.texts.values().map(String::as_str)
    }

    /// Whether a name came before.
    pub fn has(&self, name: &str) -> bool {
        self.number_of(name).is_some()
    }

    /// A name as it was written first, or as it is.
    pub fn first_written(&self, name: &str) -> String {
        let known = self.number_of(name).and_then(|number| self.text(number));
        known.unwrap_or(name).to_owned()
    }

    /// The number of a name that came before.
    pub(crate) fn number_of(&self, name: &str) -> Option<u32> {
        self.numbers.get(&name.to_lowercase()).copied()
    }

    /// The number of a name, a fresh one where it is new; none where all are given.
    pub(crate) fn give(&mut self, name: &str) -> Option<u32> {
        if let Some(known) = self.number_of(name) {
            return Some(known);
        }
        let number = self.free.pop()?;
        self.numbers.insert(name.to_lowercase(), number);
        self.texts.insert(number, name.to_owned());
        Some(number)
    }

    /// The name of a number.
    pub(crate) fn text(&self, number: u32) -> Option<&str> {
        self.texts.get(&number).map(String::as_str)
    }

    /// The large number that a number means.
    pub(crate) fn large(&self, number: u32) -> Option<f64> {
        self.text(number)?.parse().ok().filter(|x: &f64| x.is_finite())
    }

    /// A node of a call or a result as a number.
    pub(crate) fn node(&self, value: &Value) -> Option<u32> {
        match value {
            Value::String(name) => self.number_of(name),
            Value::Number(n) => {
                self.number_of(&plain(n.as_f64()?)).or_else(|| whole(value, self.first))
            }
            _ => None,
        }
    }

    /// A number of a node as JSON.
    pub(crate) fn node_value(&self, number: u32) -> Value {
        match (self.text(number), self.large(number)) {
            (_, Some(x)) => json_number(x),
            (Some(name), None) => name.into(),
            (None, None) => number.into(),
        }
    }

    /// A weight, a length or a count as a number; a large one gets a number of its own.
    pub(crate) fn weight(&mut self, value: &Value) -> Option<u32> {
        let x = value.as_f64()?;
        match whole(value, self.first) {
            Some(n) => Some(n),
            None => self.give(&plain(x)),
        }
    }

    /// A number of a weight as JSON.
    pub(crate) fn weight_value(&self, number: u32) -> Value {
        self.large(number).map_or_else(|| number.into(), json_number)
    }
}

/// Written as people do: 350, not 350.0.
fn plain(x: f64) -> String {
    x.to_string()
}

fn json_number(x: f64) -> Value {
    match x.fract() == 0.0 && x.abs() < 9e15 {
        true => Value::from(x as i64),
        false => Value::from(x),
    }
}

pub(crate) fn whole(value: &Value, below: u32) -> Option<u32> {
    let n = value.as_f64()?;
    (n >= 0.0 && n.fract() == 0.0 && n < f64::from(below)).then_some(n as u32)
}

/// How many bytes of a text are a name that is spelled, where it begins behind `before`.
pub(crate) fn name_len(before: &str, text: &str) -> usize {
    if before.ends_with('#') {
        let ends = |c: char| !c.is_ascii_graphic() || "\"[](){}<>,;?!#".contains(c);
        let run = text.split(ends).next().unwrap_or_default();
        return run.trim_end_matches(['.', ':', '\'']).len();
    }
    // A thing may be numbered without the sign.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = before.ends_with("numbered ") && text[digits..].starts_with(" in ");
    if is_numbered { digits } else { 0 }
}
