//! What each opcode does to the stack.

use super::PickleValue;
use super::machine::{Machine, Step};
use super::texts::{quoted, raw_unicode};

impl Machine<'_> {
    /// Does one step; the cursor stands behind its opcode.
    pub(super) fn step(&mut self, opcode: u8) -> Step<()> {
        match opcode {
            // Frames and the protocol say nothing about values.
            0x80 => match self.unsigned(1)? {
                0..=5 => Ok(()),
                other => self.fail(format!("protocol {other}; 0 to 5 are read")),
            },
            0x95 => self.take(8).map(drop),
            b'(' => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            b'0' => {
                // Python takes a mark away too, where there is nothing above it.
                if self.stack.len() > self.marks.last().copied().unwrap_or_default() {
                    self.pop().map(drop)
                } else {
                    self.pop_mark().map(drop)
                }
            }
            b'1' => self.pop_mark().map(drop),
            b'2' => {
                let top = self.top()?;
                self.stack.push(top);
                Ok(())
            }
            b'p' | b'q' | b'r' | 0x94 | b'g' | b'h' | b'j' => self.memory(opcode),
            b'R' | b'b' | b'o' | b'i' | b'c' | b'P' | b'Q' | 0x81..=0x84 | 0x92 | 0x93 => {
                self.object(opcode)
            }
            b']'
            | b')'
            | b'}'
            | b'a'
            | b'e'
            | b'l'
            | b't'
            | b'd'
            | b's'
            | b'u'
            | 0x85..=0x87
            | 0x8f..=0x91 => self.container(opcode),
            _ => self.plain(opcode),
        }
    }

    fn memory(&mut self, opcode: u8) -> Step<()> {
        match opcode {
            b'p' => self.key_line().and_then(|key| self.put(key)),
            b'q' => self.unsigned(1).and_then(|key| self.put(key)),
            b'r' => self.unsigned(4).and_then(|key| self.put(key)),
            0x94 => self.put(self.memo.len() as u64),
            b'g' => self.key_line().and_then(|key| self.get(key)),
            b'h' => self.unsigned(1).and_then(|key| self.get(key)),
            _ => self.unsigned(4).and_then(|key| self.get(key)),
        }
    }

    fn object(&mut self, opcode: u8) -> Step<()> {
        match opcode {
            b'c' => self.push_global(),
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                self.push(PickleValue::Global(module, name))
            }
            // A call, and the two ways to make an instance.
            b'R' | 0x81 => {
                let (arguments, class) = (self.pop()?, self.pop()?);
                self.push_object(Some(class), Some(arguments))
            }
            0x92 => {
                let (_, arguments, class) = (self.pop()?, self.pop()?, self.pop()?);
                self.push_object(Some(class), Some(arguments))
            }
            b'o' => {
                let mut items = self.pop_mark()?;
                if items.is_empty() {
                    return self.fail("an instance without a class");
                }
                let class = items.remove(0);
                let arguments = self.keep(PickleValue::List(items))?;
                self.push_object(Some(class), Some(arguments))
            }
            b'i' => {
                self.push_global()?;
                let class = self.pop_above_marks();
                let items = self.pop_mark()?;
                let arguments = self.keep(PickleValue::List(items))?;
                self.push_object(class, Some(arguments))
            }
            b'b' => {
                let state = self.pop()?;
                let top = self.top()?;
                if let PickleValue::Object { state: place, .. } = &mut self.values[top as usize] {
                    *place = Some(state);
                }
                Ok(())
            }
            // What the program that wrote the file knows by a number or a name.
            b'P' => self.line().map(drop).and_then(|()| self.push_object(None, None)),
            b'Q' => self.pop().map(drop).and_then(|()| self.push_object(None, None)),
            _ => {
                let bytes = 1 << (opcode - 0x82);
                self.take(bytes).map(drop).and_then(|()| self.push_object(None, None))
            }
        }
    }

    /// What was pushed just now.
    fn pop_above_marks(&mut self) -> Option<super::PickleId> {
        self.stack.pop()
    }

    fn container(&mut self, opcode: u8) -> Step<()> {
        match opcode {
            b']' | b')' => self.push(PickleValue::List(Vec::new())),
            b'}' => self.push(PickleValue::Dict(Vec::new())),
            0x8f => self.push(PickleValue::Set(Vec::new())),
            0x85..=0x87 => self.push_tuple(usize::from(opcode - 0x84)),
            b'a' => {
                let item = self.pop()?;
                self.extend(vec![item])
            }
            b'e' | 0x90 => {
                let items = self.pop_mark()?;
                self.extend(items)
            }
            b'l' | b't' => {
                let items = self.pop_mark()?;
                self.push(PickleValue::List(items))
            }
            0x91 => {
                let items = self.pop_mark()?;
                self.push(PickleValue::Set(items))
            }
            b'd' => {
                let items = self.pop_mark()?;
                let pairs = self.pairs(&items)?;
                self.push(PickleValue::Dict(pairs))
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set_items(&[key, value])
            }
            _ => {
                let items = self.pop_mark()?;
                self.set_items(&items)
            }
        }
    }

    fn plain(&mut self, opcode: u8) -> Step<()> {
        match opcode {
            b'N' => self.push(PickleValue::None),
            0x88 => self.push(PickleValue::Bool(true)),
            0x89 => self.push(PickleValue::Bool(false)),
            b'I' => match self.line_text()? {
                "00" => self.push(PickleValue::Bool(false)),
                "01" => self.push(PickleValue::Bool(true)),
                digits => self.push_digits(digits),
            },
            b'L' => {
                let line = self.line_text()?;
                self.push_digits(line.strip_suffix('L').unwrap_or(line))
            }
            b'J' => {
                let value = self.unsigned(4)? as u32 as i32;
                self.push(PickleValue::Int(value.into()))
            }
            b'K' => self.unsigned(1).and_then(|value| self.push(PickleValue::Int(value as i64))),
            b'M' => self.unsigned(2).and_then(|value| self.push(PickleValue::Int(value as i64))),
            0x8a => self.counted(1).and_then(|bytes| self.push_long(bytes)),
            0x8b => self.counted(4).and_then(|bytes| self.push_long(bytes)),
            b'F' => match self.line_text()?.trim().parse() {
                Ok(value) => self.push(PickleValue::Float(value)),
                Err(_) => self.fail("a line that should be a number"),
            },
            b'G' => {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(self.take(8)?);
                self.push(PickleValue::Float(f64::from_be_bytes(bytes)))
            }
            b'S' => match quoted(self.line()?) {
                Some(bytes) => self.push_old_text(bytes),
                None => self.fail("a line that should be a text in quotes"),
            },
            b'V' => match raw_unicode(self.line()?) {
                Some(text) => self.push(PickleValue::Text(text)),
                None => self.fail("a line with an escape that is cut off"),
            },
            b'U' => self.counted(1).and_then(|bytes| self.push_old_text(bytes.into())),
            b'T' => self.counted(4).and_then(|bytes| self.push_old_text(bytes.into())),
            0x8c => self.counted(1).and_then(|bytes| self.push_text(bytes)),
            b'X' => self.counted(4).and_then(|bytes| self.push_text(bytes)),
            0x8d => self.counted(8).and_then(|bytes| self.push_text(bytes)),
            b'C' => self.counted(1).and_then(|bytes| self.push(PickleValue::Bytes(bytes.into()))),
            b'B' => self.counted(4).and_then(|bytes| self.push(PickleValue::Bytes(bytes.into()))),
            0x8e | 0x96 => {
                self.counted(8).and_then(|bytes| self.push(PickleValue::Bytes(bytes.into())))
            }
            // A buffer that is in another file.
            0x97 => self.push_object(None, None),
            0x98 => Ok(()),
            other => self.fail(format!("{other:#04x} begins no part of a pickle")),
        }
    }
}
