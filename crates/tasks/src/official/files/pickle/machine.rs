//! The stack of pickles, without what would call anything.

use std::collections::HashMap;

use super::{MAX_PICKLE_VALUES, Pickle, PickleError, PickleId, PickleValue};

pub(super) type Step<T> = Result<T, PickleError>;

pub(super) struct Machine<'b> {
    bytes: &'b [u8],
    at: usize,
    pub(super) values: Vec<PickleValue>,
    pub(super) stack: Vec<PickleId>,
    /// Where the stack began at each open mark.
    pub(super) marks: Vec<usize>,
    pub(super) memo: HashMap<u64, PickleId>,
}

impl<'b> Machine<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        let (values, stack, marks) = (Vec::new(), Vec::new(), Vec::new());
        Self { bytes, at: 0, values, stack, marks, memo: HashMap::new() }
    }

    pub(super) fn fail<T>(&self, what: impl Into<String>) -> Step<T> {
        Err(PickleError { at: self.at, what: what.into() })
    }

    pub(super) fn take(&mut self, length: usize) -> Step<&'b [u8]> {
        match self.at.checked_add(length).and_then(|end| self.bytes.get(self.at..end)) {
            Some(taken) => {
                self.at += length;
                Ok(taken)
            }
            None => {
                let left = self.bytes.len() - self.at;
                self.fail(format!(
                    "the file is cut off: {length} more bytes were announced, and {left} are left"
                ))
            }
        }
    }

    /// A number of so many bytes, the lowest first.
    pub(super) fn unsigned(&mut self, bytes: usize) -> Step<u64> {
        let taken = self.take(bytes)?;
        Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self, bytes: usize) -> Step<usize> {
        let length = self.unsigned(bytes)?;
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }

    pub(super) fn counted(&mut self, bytes: usize) -> Step<&'b [u8]> {
        let length = self.length(bytes)?;
        self.take(length)
    }

    pub(super) fn line(&mut self) -> Step<&'b [u8]> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
            return self.fail("the file is cut off: a line has no end");
        };
        self.at += length + 1;
        let line = &rest[..length];
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    pub(super) fn line_text(&mut self) -> Step<&'b str> {
        let line = self.line()?;
        std::str::from_utf8(line).or_else(|_| self.fail("a line that should be a number or a name"))
    }

    pub(super) fn keep(&mut self, value: PickleValue) -> Step<PickleId> {
        if self.values.len() >= MAX_PICKLE_VALUES {
            return self.fail(format!("more than {MAX_PICKLE_VALUES} values"));
        }
        self.values.push(value);
        // The limit is far below.
        Ok((self.values.len() - 1) as PickleId)
    }

    pub(super) fn push(&mut self, value: PickleValue) -> Step<()> {
        let id = self.keep(value)?;
        self.stack.push(id);
        Ok(())
    }

    pub(super) fn push_text(&mut self, bytes: &[u8]) -> Step<()> {
        self.push(PickleValue::Text(String::from_utf8_lossy(bytes).into_owned()))
    }

    /// A `str` of Python 2, which may be text or bytes.
    pub(super) fn push_old_text(&mut self, bytes: Vec<u8>) -> Step<()> {
        self.push(match String::from_utf8(bytes) {
            Ok(text) => PickleValue::Text(text),
            Err(error) => PickleValue::Bytes(error.into_bytes()),
        })
    }

    /// The top of the stack above the last mark.
    pub(super) fn pop(&mut self) -> Step<PickleId> {
        let floor = self.marks.last().copied().unwrap_or_default();
        match self.stack.len() > floor {
            true => Ok(self.stack.pop().unwrap_or_default()),
            false => self.fail("a value is missing on the stack"),
        }
    }

    pub(super) fn top(&mut self) -> Step<PickleId> {
        let top = self.pop()?;
        self.stack.push(top);
        Ok(top)
    }

    /// All above the last mark, which goes too.
    pub(super) fn pop_mark(&mut self) -> Step<Vec<PickleId>> {
        match self.marks.pop() {
            Some(floor) => Ok(self.stack.split_off(floor)),
            None => self.fail("a mark is missing on the stack"),
        }
    }

    pub(super) fn push_tuple(&mut self, length: usize) -> Step<()> {
        let mut items = Vec::with_capacity(length);
        for _ in 0..length {
            items.push(self.pop()?);
        }
        items.reverse();
        self.push(PickleValue::List(items))
    }

    pub(super) fn pairs(&self, items: &[PickleId]) -> Step<Vec<(PickleId, PickleId)>> {
        match items.len() % 2 {
            0 => Ok(items.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()),
            _ => self.fail("a key of a dict has no value"),
        }
    }

    /// Adds items to the value on top; what belongs to an object is dropped, since it is not made.
    pub(super) fn extend(&mut self, items: Vec<PickleId>) -> Step<()> {
        let top = self.top()?;
        match &mut self.values[top as usize] {
            PickleValue::List(list) | PickleValue::Set(list) => list.extend(items),
            PickleValue::Object { .. } => {}
            _ => return self.fail("items for a value that is no list and no set"),
        }
        Ok(())
    }

    pub(super) fn set_items(&mut self, items: &[PickleId]) -> Step<()> {
        let pairs = self.pairs(items)?;
        let top = self.top()?;
        match &mut self.values[top as usize] {
            PickleValue::Dict(dict) => dict.extend(pairs),
            PickleValue::Object { .. } => {}
            _ => return self.fail("keys for a value that is no dict"),
        }
        Ok(())
    }

    pub(super) fn push_object(
        &mut self,
        class: Option<PickleId>,
        arguments: Option<PickleId>,
    ) -> Step<()> {
        let is_dict = class.is_some_and(|class| self.makes_dict(class));
        self.push(if is_dict {
            PickleValue::Dict(Vec::new())
        } else {
            PickleValue::Object { class, arguments, state: None }
        })
    }

    /// Dicts of the standard library, whose items come after the call.
    fn makes_dict(&self, class: PickleId) -> bool {
        let text = |id: PickleId| match &self.values[id as usize] {
            PickleValue::Text(text) => text.as_str(),
            _ => "",
        };
        let PickleValue::Global(module, name) = self.values[class as usize] else { return false };
        matches!((text(module), text(name)), ("collections", "OrderedDict" | "defaultdict"))
    }

    pub(super) fn push_global(&mut self) -> Step<()> {
        let (module, name) = (self.line_text()?, self.line_text()?);
        let module = self.keep(PickleValue::Text(module.into()))?;
        let name = self.keep(PickleValue::Text(name.into()))?;
        self.push(PickleValue::Global(module, name))
    }

    pub(super) fn put(&mut self, key: u64) -> Step<()> {
        let top = self.top()?;
        self.memo.insert(key, top);
        Ok(())
    }

    pub(super) fn get(&mut self, key: u64) -> Step<()> {
        match self.memo.get(&key) {
            Some(id) => {
                self.stack.push(*id);
                Ok(())
            }
            None => self.fail(format!("value {key} is mentioned before it is kept")),
        }
    }

    pub(super) fn key_line(&mut self) -> Step<u64> {
        let line = self.line_text()?;
        line.trim().parse().or_else(|_| self.fail(format!("{line:?} is no number of a kept value")))
    }

    pub(super) fn push_digits(&mut self, digits: &str) -> Step<()> {
        let digits = digits.trim();
        let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
        match digits.parse::<i64>() {
            Ok(value) => self.push(PickleValue::Int(value)),
            Err(_) if !unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit()) => {
                self.push(PickleValue::BigInt)
            }
            Err(_) => self.fail("a line that should be a whole number"),
        }
    }

    /// A whole number in two's complement.
    pub(super) fn push_long(&mut self, bytes: &[u8]) -> Step<()> {
        let Some(last) = bytes.last() else { return self.push(PickleValue::Int(0)) };
        let fill = if *last >= 0x80 { 0xff } else { 0 };
        let mut eight = [fill; 8];
        let (low, high) = bytes.split_at(bytes.len().min(8));
        eight[..low.len()].copy_from_slice(low);
        let value = i64::from_le_bytes(eight);
        let fits = high.iter().all(|byte| *byte == fill) && (value < 0) == (fill == 0xff);
        self.push(if fits { PickleValue::Int(value) } else { PickleValue::BigInt })
    }

    pub(super) fn run(mut self) -> Step<Pickle> {
        loop {
            let start = self.at;
            let opcode = self.take(1)?[0];
            if opcode == b'.' {
                let root = self.pop()?;
                return Ok(Pickle { values: self.values, root });
            }
            // One byte may mention a value again.
            if self.stack.len() > MAX_PICKLE_VALUES {
                return self.fail(format!("more than {MAX_PICKLE_VALUES} values on the stack"));
            }
            self.step(opcode).map_err(|error| PickleError { at: start, what: error.what })?;
        }
    }
}
