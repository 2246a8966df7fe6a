//! Python's pickles, read without running anything of them: objects of any class become their name
//! with arguments and state, and nothing else.
//!
//! Protocols 0 to 4, as far as numpy and scipy of Python 2 and 3 write them.

use std::collections::HashMap;

use anyhow::{Context as _, Result, bail};

/// The most values of one pickle.
const MAX_VALUES: usize = 20_000_000;

/// The most values that a byte of a pickle may become, because what it names again is copied; those
/// that numpy writes stay below one.
const MAX_SHARED: usize = 8;
/// So many values are free, in short pickles too.
const FREE_VALUES: usize = 100_000;
/// The most values within each other.
const MAX_DEPTH: usize = 60;
/// So many bytes of text count as a value.
const BYTES_A_VALUE: usize = 32;

/// A value of Python.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Py {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Bytes(Vec<u8>),
    Text(String),
    List(Vec<Py>),
    Tuple(Vec<Py>),
    Dict(Vec<(Py, Py)>),
    Object(Box<Object>),
}

/// An object that Python would have made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    /// The class or function, with its module.
    pub(crate) class: String,
    /// What it was called with.
    pub(crate) arguments: Vec<Py>,
    /// What was set afterwards.
    pub(crate) state: Option<Py>,
    /// What was put into it as into a dictionary.
    pub(crate) items: Vec<(Py, Py)>,
}

impl Py {
    pub(crate) fn int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Bool(b) => Some(i64::from(*b)),
            _ => None,
        }
    }

    pub(crate) fn float(&self) -> Option<f64> {
        match self {
            Self::Float(x) => Some(*x),
            other => other.int().map(|n| n as f64),
        }
    }

    /// The elements of a list or tuple.
    pub(crate) fn elements(&self) -> Option<&[Self]> {
        match self {
            Self::List(all) | Self::Tuple(all) => Some(all),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }

    /// The value of a key that is text.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Dict(all) = self else { return None };
        all.iter().find(|(k, _)| k.text().as_deref() == Some(key)).map(|(_, v)| v)
    }
}

/// Values while they are made: containers are filled after they were named, so that they are kept
/// by their numbers until the end.
enum Cell {
    Plain(Py),
    List(Vec<usize>),
    Tuple(Vec<usize>),
    Dict(Vec<(usize, usize)>),
    Global(String),
    Object { class: String, arguments: usize, state: Option<usize>, items: Vec<(usize, usize)> },
}

struct Machine<'b> {
    bytes: &'b [u8],
    at: usize,
    cells: Vec<Cell>,
    stack: Vec<usize>,
    marks: Vec<usize>,
    memo: HashMap<u32, usize>,
}

/// Reads the first pickle in some bytes.
pub(crate) fn read(bytes: &[u8]) -> Result<Py> {
    let mut machine = Machine {
        bytes,
        at: 0,
        cells: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: HashMap::new(),
    };
    let top = machine.run().with_context(|| format!("a pickle, at byte {}", machine.at))?;
    let most = bytes.len().saturating_mul(MAX_SHARED).saturating_add(FREE_VALUES);
    let mut budget = most.min(MAX_VALUES);
    machine.value(top, 0, &mut budget)
}

impl Machine<'_> {
    fn take(&mut self, n: usize) -> Result<&[u8]> {
        let end = self.at.checked_add(n).filter(|e| *e <= self.bytes.len());
        let end = end.context("it ends in the middle of a value")?;
        let part = &self.bytes[self.at..end];
        self.at = end;
        Ok(part)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into()?)
    }

    fn line(&mut self) -> Result<String> {
        let rest = &self.bytes[self.at..];
        let n = rest.iter().position(|b| *b == b'\n').context("a line without an end")?;
        let text = String::from_utf8_lossy(&rest[..n]).into_owned();
        self.at += n + 1;
        Ok(text)
    }

    fn push(&mut self, cell: Cell) -> Result<()> {
        if self.cells.len() >= MAX_VALUES {
            bail!("it has more than {MAX_VALUES} values");
        }
        self.cells.push(cell);
        self.stack.push(self.cells.len() - 1);
        Ok(())
    }

    fn plain(&mut self, value: Py) -> Result<()> {
        self.push(Cell::Plain(value))
    }

    fn pop(&mut self) -> Result<usize> {
        self.stack.pop().context("it takes more than there is")
    }

    fn above_mark(&mut self) -> Result<Vec<usize>> {
        let mark = self.marks.pop().context("there is no mark")?;
        if mark > self.stack.len() {
            bail!("a mark is gone");
        }
        Ok(self.stack.split_off(mark))
    }

    fn bytes_of(&mut self, n: usize) -> Result<()> {
        let bytes = self.take(n)?.to_vec();
        self.plain(Py::Bytes(bytes))
    }

    fn text_of(&mut self, n: usize) -> Result<()> {
        let text = String::from_utf8_lossy(self.take(n)?).into_owned();
        self.plain(Py::Text(text))
    }

    fn remember(&mut self, key: u32) -> Result<()> {
        let top = *self.stack.last().context("there is nothing to remember")?;
        self.memo.insert(key, top);
        Ok(())
    }

    fn recall(&mut self, key: u32) -> Result<()> {
        let cell = *self.memo.get(&key).with_context(|| format!("nothing is kept as {key}"))?;
        self.stack.push(cell);
        Ok(())
    }

    fn pairs(values: &[usize]) -> Result<Vec<(usize, usize)>> {
        if !values.len().is_multiple_of(2) {
            bail!("a key has no value");
        }
        Ok(values.chunks(2).map(|p| (p[0], p[1])).collect())
    }

    fn set(&mut self, values: &[usize]) -> Result<()> {
        let pairs = Self::pairs(values)?;
        let to = *self.stack.last().context("there is nothing to put into")?;
        match &mut self.cells[to] {
            Cell::Dict(all) => all.extend(pairs),
            Cell::Object { items, .. } => items.extend(pairs),
            _ => bail!("what is put into is no dictionary"),
        }
        Ok(())
    }

    fn append(&mut self, values: &[usize]) -> Result<()> {
        let to = *self.stack.last().context("there is nothing to append to")?;
        match &mut self.cells[to] {
            Cell::List(all) => all.extend(values),
            _ => bail!("what is appended to is no list"),
        }
        Ok(())
    }

    fn make(&mut self) -> Result<()> {
        let arguments = self.pop()?;
        let class = self.pop()?;
        let Cell::Global(class) = &self.cells[class] else { bail!("what is called is no class") };
        let class = class.clone();
        self.push(Cell::Object { class, arguments, state: None, items: Vec::new() })
    }

    /// Runs to the end and gives what is on top.
    fn run(&mut self) -> Result<usize> {
        loop {
            match self.byte()? {
                0x80 => {
                    let version = self.byte()?;
                    if version > 4 {
                        bail!("its protocol is {version}; up to 4 is read");
                    }
                }
                0x95 => {
                    self.take(8)?;
                }
                b'.' => return self.pop(),
                b'(' => self.marks.push(self.stack.len()),
                b'0' => {
                    self.pop()?;
                }
                b'N' => self.plain(Py::None)?,
                0x88 => self.plain(Py::Bool(true))?,
                0x89 => self.plain(Py::Bool(false))?,
                b'K' => {
                    let n = i64::from(self.byte()?);
                    self.plain(Py::Int(n))?;
                }
                b'M' => {
                    let n = u16::from_le_bytes(self.number()?);
                    self.plain(Py::Int(n.into()))?;
                }
                b'J' => {
                    let n = i32::from_le_bytes(self.number()?);
                    self.plain(Py::Int(n.into()))?;
                }
                b'I' | b'L' => {
                    let line = self.line()?;
                    let text = line.trim_end_matches('L');
                    let value = match text {
                        "00" => Py::Bool(false),
                        "01" => Py::Bool(true),
                        text => Py::Int(text.parse().with_context(|| format!("number {text:?}"))?),
                    };
                    self.plain(value)?;
                }
                0x8a => {
                    let n = usize::from(self.byte()?);
                    let bytes = self.take(n)?;
                    if n > 8 {
                        bail!("a number of {n} bytes");
                    }
                    let fill = if bytes.last().is_some_and(|b| b & 0x80 != 0) { 0xff } else { 0 };
                    let mut all = [fill; 8];
                    all[..n].copy_from_slice(bytes);
                    self.plain(Py::Int(i64::from_le_bytes(all)))?;
                }
                b'G' => {
                    let x = f64::from_be_bytes(self.number()?);
                    self.plain(Py::Float(x))?;
                }
                b'F' => {
                    let line = self.line()?;
                    let x = line.parse().with_context(|| format!("number {line:?}"))?;
                    self.plain(Py::Float(x))?;
                }
                b'U' | b'C' => {
                    let n = usize::from(self.byte()?);
                    self.bytes_of(n)?;
                }
                b'T' | b'B' => {
                    let n = u32::from_le_bytes(self.number()?) as usize;
                    self.bytes_of(n)?;
                }
                0x8e => {
                    let n = usize::try_from(u64::from_le_bytes(self.number()?))?;
                    self.bytes_of(n)?;
                }
                0x8c => {
                    let n = usize::from(self.byte()?);
                    self.text_of(n)?;
                }
                b'X' => {
                    let n = u32::from_le_bytes(self.number()?) as usize;
                    self.text_of(n)?;
                }
                b']' => self.push(Cell::List(Vec::new()))?,
                b')' => self.push(Cell::Tuple(Vec::new()))?,
                b'}' => self.push(Cell::Dict(Vec::new()))?,
                b'l' => {
                    let all = self.above_mark()?;
                    self.push(Cell::List(all))?;
                }
                b't' => {
                    let all = self.above_mark()?;
                    self.push(Cell::Tuple(all))?;
                }
                b'd' => {
                    let all = self.above_mark()?;
                    let pairs = Self::pairs(&all)?;
                    self.push(Cell::Dict(pairs))?;
                }
                op @ 0x85..=0x87 => {
                    let n = usize::from(op - 0x84);
                    let from = self.stack.len().checked_sub(n).context("too short a tuple")?;
                    let all = self.stack.split_off(from);
                    self.push(Cell::Tuple(all))?;
                }
                b'a' => {
                    let value = self.pop()?;
                    self.append(&[value])?;
                }
                b'e' => {
                    let all = self.above_mark()?;
                    self.append(&all)?;
                }
                b's' => {
                    let value = self.pop()?;
                    let key = self.pop()?;
                    self.set(&[key, value])?;
                }
                b'u' => {
                    let all = self.above_mark()?;
                    self.set(&all)?;
                }
                b'c' => {
                    let (module, name) = (self.line()?, self.line()?);
                    self.push(Cell::Global(format!("{module}.{name}")))?;
                }
                0x93 => {
                    let (name, module) = (self.pop()?, self.pop()?);
                    let text = |i: usize| match &self.cells[i] {
                        Cell::Plain(value) => value.text(),
                        _ => None,
                    };
                    let (module, name) =
                        text(module).zip(text(name)).context("a class without a name")?;
                    self.push(Cell::Global(format!("{module}.{name}")))?;
                }
                b'R' | 0x81 => self.make()?,
                b'b' => {
                    let told = self.pop()?;
                    let to = *self.stack.last().context("there is nothing to set")?;
                    match &mut self.cells[to] {
                        Cell::Object { state, .. } => *state = Some(told),
                        _ => bail!("what is set is no object"),
                    }
                }
                b'q' => {
                    let key = self.byte()?.into();
                    self.remember(key)?;
                }
                b'r' => {
                    let key = u32::from_le_bytes(self.number()?);
                    self.remember(key)?;
                }
                b'p' => {
                    let key = self.line()?.parse()?;
                    self.remember(key)?;
                }
                0x94 => {
                    let key = u32::try_from(self.memo.len())?;
                    self.remember(key)?;
                }
                b'h' => {
                    let key = self.byte()?.into();
                    self.recall(key)?;
                }
                b'j' => {
                    let key = u32::from_le_bytes(self.number()?);
                    self.recall(key)?;
                }
                b'g' => {
                    let key = self.line()?.parse()?;
                    self.recall(key)?;
                }
                other => bail!("operation {other:#04x} is not one that data need"),
            }
        }
    }

    /// A cell as a value. What several places share is copied, so that copies are counted.
    fn value(&self, cell: usize, depth: usize, budget: &mut usize) -> Result<Py> {
        if depth > MAX_DEPTH {
            bail!("values are nested more than {MAX_DEPTH} deep");
        }
        let weight = self.weight(cell);
        *budget = budget.checked_sub(weight).context("it has too many values")?;
        match &self.cells[cell] {
            Cell::Plain(value) => Ok(value.clone()),
            Cell::List(all) => self.values(all, depth, budget).map(Py::List),
            Cell::Tuple(all) => self.values(all, depth, budget).map(Py::Tuple),
            Cell::Dict(all) => self.entries(all, depth, budget).map(Py::Dict),
            Cell::Global(name) => Ok(Py::Text(name.clone())),
            Cell::Object { .. } => self.object(cell, depth, budget),
        }
    }

    /// How many values a cell counts as, without what is in it.
    fn weight(&self, cell: usize) -> usize {
        let n_bytes = match &self.cells[cell] {
            Cell::Plain(Py::Bytes(bytes)) => bytes.len(),
            Cell::Plain(Py::Text(text)) | Cell::Global(text) => text.len(),
            Cell::Object { class, .. } => class.len(),
            _ => 0,
        };
        1 + n_bytes / BYTES_A_VALUE
    }

    fn values(&self, all: &[usize], depth: usize, budget: &mut usize) -> Result<Vec<Py>> {
        let mut values = Vec::new();
        for cell in all {
            values.push(self.value(*cell, depth + 1, budget)?);
        }
        Ok(values)
    }

    fn entries(
        &self,
        all: &[(usize, usize)],
        depth: usize,
        budget: &mut usize,
    ) -> Result<Vec<(Py, Py)>> {
        let mut entries = Vec::new();
        for (key, value) in all {
            let key = self.value(*key, depth + 1, budget)?;
            entries.push((key, self.value(*value, depth + 1, budget)?));
        }
        Ok(entries)
    }

    fn object(&self, cell: usize, depth: usize, budget: &mut usize) -> Result<Py> {
        let Cell::Object { class, arguments, state, items } = &self.cells[cell] else {
            bail!("no object");
        };
        let arguments = match self.value(*arguments, depth + 1, budget)? {
            Py::Tuple(all) => all,
            other => vec![other],
        };
        let state = match state {
            Some(state) => Some(self.value(*state, depth + 1, budget)?),
            None => None,
        };
        let items = self.entries(items, depth, budget)?;
        Ok(Py::Object(Box::new(Object { class: class.clone(), arguments, state, items })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_python_wrote_is_read() {
        // pickle.dumps([1, -2, 300, 70000, 2.5, "a", None, True, (1, 2), {"k": [3]}], 2)
        let bytes = b"\x80\x02]q\x00(K\x01J\xfe\xff\xff\xffM,\x01Jp\x11\x01\x00G@\x04\x00\x00\x00\x00\x00\x00X\x01\x00\x00\x00aq\x01N\x88K\x01K\x02\x86q\x02}q\x03X\x01\x00\x00\x00kq\x04]q\x05K\x03ase.";
        let Py::List(all) = read(bytes).unwrap() else { panic!() };
        assert_eq!(all[..4], [Py::Int(1), Py::Int(-2), Py::Int(300), Py::Int(70_000)]);
        assert_eq!(all[4], Py::Float(2.5));
        assert_eq!(all[8], Py::Tuple(vec![Py::Int(1), Py::Int(2)]));
        assert_eq!(all[9].get("k"), Some(&Py::List(vec![Py::Int(3)])));
        // pickle.dumps([1, 2], 0)
        assert_eq!(read(b"(lp0\nI1\naI2\na.").unwrap(), Py::List(vec![Py::Int(1), Py::Int(2)]));
    }

    /// A class that would do harm in Python is a name here.
    #[test]
    fn nothing_is_run() {
        let value = read(b"cos\nsystem\n(S'x'\ntR.").unwrap_err();
        assert!(value.to_string().contains("a pickle, at byte"), "{value:#}");
        let Py::Object(object) = read(b"cos\nsystem\n(U\x01xtR.").unwrap() else { panic!() };
        assert_eq!(object.class, "os.system");
    }

    /// A list in itself, and a bomb of shared lists.
    #[test]
    fn what_would_never_end_is_refused() {
        assert!(read(b"]q\x00h\x00a.").unwrap_err().to_string().contains("nested"));
        let mut bomb = b"](K\x01K\x01eq\x00".to_vec();
        for _ in 0..50 {
            bomb.extend(b"0](h\x00h\x00eq\x00");
        }
        bomb.push(b'.');
        assert!(read(&bomb).unwrap_err().to_string().contains("too many values"));
        // One text of 1 MB, named a hundred thousand times, would be 100 GB.
        let mut bomb = b"(X\x40\x42\x0f\x00".to_vec();
        bomb.extend(b"x".repeat(1_000_000));
        bomb.extend(b"q\x00");
        bomb.extend(b"h\x00".repeat(100_000));
        bomb.extend(b"l.");
        assert!(read(&bomb).unwrap_err().to_string().contains("too many values"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }

        #[test]
        fn cut_off_anywhere_is_a_fault(n in 0usize..95) {
            let bytes = b"\x80\x02]q\x00(K\x01J\xfe\xff\xff\xffM,\x01Jp\x11\x01\x00G@\x04\x00\x00\x00\x00\x00\x00X\x01\x00\x00\x00aq\x01N\x88K\x01K\x02\x86q\x02}q\x03X\x01\x00\x00\x00kq\x04]q\x05K\x03ase.";
            prop_assume!(n < bytes.len());
            prop_assert!(read(&bytes[..n]).is_err());
        }
    }
}
