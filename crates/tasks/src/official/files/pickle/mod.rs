//! Plain values out of a Python pickle, protocols 0 to 5.
//!
//! A pickle is a program, and a file that somebody drops is hostile. So nothing is looked up,
//! called or imported here: a class or function is only its name, and what a call would have made
//! stays an [`PickleValue::Object`] with the arguments unread. Values refer to each other by
//! number, so that a value that a pickle mentions a million times is held once; a byte of the file
//! makes at most two values, and nothing recurses.
//!
//! `serde-pickle` copies what is mentioned twice and recurses, so a file of some hundred bytes fills
//! any memory. `deser-pickle` keeps the state of an object and drops its arguments, so the type of
//! numpy's numbers is lost, and 6.4 MB of empty lists take 830 MB.

mod machine;
mod opcodes;
mod texts;

use std::borrow::Cow;

/// The number of a value in a [`Pickle`].
pub type PickleId = u32;

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum PickleValue {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that 64 bits do not hold, and which is not read.
    BigInt,
    /// A number with a fraction.
    Float(f64),
    /// A text. Bytes that are no UTF-8 are replaced, except in a `str` of Python 2, which is then
    /// [`PickleValue::Bytes`].
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list or tuple.
    List(Vec<PickleId>),
    /// A set.
    Set(Vec<PickleId>),
    /// Keys with their values, in order.
    Dict(Vec<(PickleId, PickleId)>),
    /// A class or function, by its module and its name, which are texts. It is never looked up.
    Global(PickleId, PickleId),
    /// What a class or function would make of arguments. It is never made.
    Object {
        /// The class or function, if the pickle names one.
        class: Option<PickleId>,
        /// The arguments, usually a tuple.
        arguments: Option<PickleId>,
        /// The state that would be put into it.
        state: Option<PickleId>,
    },
}

/// The values of a pickle.
#[derive(Clone, Debug, PartialEq)]
pub struct Pickle {
    values: Vec<PickleValue>,
    root: PickleId,
}

/// Why bytes are no pickle that is read: where, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {what}")]
pub struct PickleError {
    /// The byte, from 0.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
}

/// The longest pickle that is read, in bytes.
pub const MAX_PICKLE_BYTES: usize = 64_000_000;
/// The most values that are read.
pub const MAX_PICKLE_VALUES: usize = 4_000_000;

impl Pickle {
    /// Reads a pickle up to its end mark; what follows is not looked at.
    ///
    /// # Errors
    /// The bytes are no pickle, end too early, or have more values than are read.
    ///
    /// # Complexity
    /// O(length) time and memory.
    pub fn read(bytes: &[u8]) -> Result<Self, PickleError> {
        if bytes.len() > MAX_PICKLE_BYTES {
            let what = format!("{} bytes; at most {MAX_PICKLE_BYTES} are read", bytes.len());
            return Err(PickleError { at: 0, what });
        }
        machine::Machine::new(bytes).run()
    }

    /// How many values there are, at most two for each byte; their numbers begin with 0.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// The value of the whole pickle.
    pub fn root(&self) -> PickleId {
        self.root
    }

    /// The value of that number; `None` for a number that no value has.
    pub fn get(&self, id: PickleId) -> &PickleValue {
        self.values.get(id as usize).unwrap_or(&PickleValue::None)
    }

    /// The value of a key of a dict, the last one if the key is there twice, as Python has it.
    pub fn field(&self, dict: PickleId, key: &str) -> Option<PickleId> {
        let PickleValue::Dict(pairs) = self.get(dict) else { return None };
        let is_it = |id: PickleId| matches!(self.get(id), PickleValue::Text(text) if text == key);
        pairs.iter().rev().find(|(id, _)| is_it(*id)).map(|(_, value)| *value)
    }

    /// The items of a list, tuple or set, also of a set that older protocols build by a call.
    pub fn items(&self, id: PickleId) -> Option<&[PickleId]> {
        match self.get(id) {
            PickleValue::List(items) | PickleValue::Set(items) => Some(items),
            PickleValue::Object { arguments, .. }
                if matches!(self.class(id)?, ("builtins" | "__builtin__", "set" | "frozenset")) =>
            {
                let PickleValue::List(arguments) = self.get((*arguments)?) else { return None };
                match self.get(*arguments.first()?) {
                    PickleValue::List(items) => Some(items),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The module and the name of what would make an object.
    pub fn class(&self, id: PickleId) -> Option<(&str, &str)> {
        let PickleValue::Object { class, .. } = self.get(id) else { return None };
        let PickleValue::Global(module, name) = self.get((*class)?) else { return None };
        Some((self.text(*module)?, self.text(*name)?))
    }

    /// A text.
    pub fn text(&self, id: PickleId) -> Option<&str> {
        match self.get(id) {
            PickleValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number: a plain one, or one of numpy's, which a pickle writes as a call with the type and
    /// the bytes.
    pub fn number(&self, id: PickleId) -> Option<f64> {
        match self.get(id) {
            PickleValue::Int(value) => Some(*value as f64),
            PickleValue::Float(value) => Some(*value),
            PickleValue::Bool(value) => Some(f64::from(u8::from(*value))),
            PickleValue::Object { .. } => {
                let (module, name) = self.class(id)?;
                let is_scalar = name == "scalar" && module.ends_with("multiarray");
                if !is_scalar {
                    return None;
                }
                let [dtype, bytes] = self.arguments(id)? else { return None };
                let bytes = self.bytes(*bytes)?;
                let mut short = [0; 8];
                short.get_mut(..bytes.len())?.copy_from_slice(&bytes);
                self.scalar(*dtype, short)
            }
            _ => None,
        }
    }

    /// A whole number or a truth value.
    pub fn int(&self, id: PickleId) -> Option<i64> {
        match self.get(id) {
            PickleValue::Int(value) => Some(*value),
            PickleValue::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// Bytes, also a `str` of Python 2, and as Python 3 writes them up to protocol 2: a call with a
    /// text and its encoding.
    pub fn bytes(&self, id: PickleId) -> Option<Cow<'_, [u8]>> {
        match self.get(id) {
            PickleValue::Bytes(bytes) => Some(bytes.into()),
            PickleValue::Text(text) => Some(text.as_bytes().into()),
            PickleValue::Object { .. } if self.class(id)? == ("_codecs", "encode") => {
                let text = self.text(*self.arguments(id)?.first()?)?;
                let latin = text.chars().map(|c| u8::try_from(c).ok());
                latin.collect::<Option<Vec<u8>>>().map(Cow::from)
            }
            _ => None,
        }
    }

    /// The arguments of an object.
    pub fn arguments(&self, id: PickleId) -> Option<&[PickleId]> {
        let PickleValue::Object { arguments, .. } = self.get(id) else { return None };
        self.items((*arguments)?)
    }

    /// The state of an object.
    pub fn state(&self, id: PickleId) -> Option<PickleId> {
        let PickleValue::Object { state, .. } = self.get(id) else { return None };
        *state
    }

    /// How many values there would be if each mention was a copy, where 32 bytes of a text count as
    /// one more; `None` if a value is within itself. A walk through all values takes that many steps.
    ///
    /// # Complexity
    /// O(length) time and memory.
    pub fn n_mentioned(&self) -> Option<usize> {
        let mut sizes = vec![None; self.values.len()];
        let mut is_open = vec![false; self.values.len()];
        let mut stack = vec![self.root];
        while let Some(id) = stack.pop() {
            let at = id as usize;
            if sizes[at].is_some() {
                continue;
            }
            if is_open[at] {
                let mut size = self.own_size(id);
                self.each_within(id, |part| {
                    size = size.saturating_add(sizes[part as usize].unwrap_or_default());
                });
                sizes[at] = Some(size);
                continue;
            }
            is_open[at] = true;
            stack.push(id);
            let mut is_circle = false;
            self.each_within(id, |part| match (sizes[part as usize], is_open[part as usize]) {
                (Some(_), _) => {}
                (None, true) => is_circle = true,
                (None, false) => stack.push(part),
            });
            if is_circle {
                return None;
            }
        }
        sizes[self.root as usize]
    }

    fn own_size(&self, id: PickleId) -> usize {
        1 + match self.get(id) {
            PickleValue::Text(text) => text.len() / 32,
            PickleValue::Bytes(bytes) => bytes.len() / 32,
            _ => 0,
        }
    }

    fn each_within(&self, id: PickleId, mut take: impl FnMut(PickleId)) {
        match self.get(id) {
            PickleValue::List(items) | PickleValue::Set(items) => {
                items.iter().copied().for_each(take);
            }
            PickleValue::Dict(pairs) => pairs.iter().for_each(|(key, value)| {
                take(*key);
                take(*value);
            }),
            PickleValue::Global(module, name) => [*module, *name].into_iter().for_each(take),
            PickleValue::Object { class, arguments, state } => {
                [*class, *arguments, *state].into_iter().flatten().for_each(take);
            }
            _ => {}
        }
    }

    /// A number of numpy by its type, such as `i8`, and its bytes in their order.
    fn scalar(&self, dtype: PickleId, bytes: [u8; 8]) -> Option<f64> {
        if self.class(dtype)? != ("numpy", "dtype") {
            return None;
        }
        let code = self.text(*self.arguments(dtype)?.first()?)?;
        // The second item of the state is the order of the bytes.
        let order = self.state(dtype).and_then(|state| self.items(state)?.get(1).copied());
        let is_big = order.and_then(|id| self.text(id)) == Some(">");
        let (kind, size) = code.split_at_checked(1)?;
        let size: usize = size.parse().ok().filter(|size| (1..=8).contains(size))?;
        let mut little = bytes;
        if is_big {
            little[..size].reverse();
        }
        let unsigned = u64::from_le_bytes(little);
        let unused = 64 - 8 * size as u32;
        Some(match (kind, size) {
            ("i", _) => (((unsigned << unused) as i64) >> unused) as f64,
            ("u" | "b", _) => ((unsigned << unused) >> unused) as f64,
            ("f", 8) => f64::from_bits(unsigned),
            ("f", 4) => f64::from(f32::from_bits(unsigned as u32)),
            _ => return None,
        })
    }
}
