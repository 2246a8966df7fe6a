//! What Python's renderer of chat templates gives them beside the language itself.

use std::fmt::Write as _;
use std::io;

use minijinja::value::Kwargs;
use minijinja::{Environment, Error, ErrorKind, State, Value};
use minijinja_contrib::pycompat;
use serde::Serialize as _;

/// The widest indent of JSON.
const MAX_INDENT: usize = 16;

/// Puts its functions, filters and methods into an environment.
pub(super) fn fill(environment: &mut Environment<'static>) {
    environment.set_unknown_method_callback(method);
    environment.add_function("raise_exception", |text: String| -> Result<Value, Error> {
        Err(Error::new(ErrorKind::InvalidOperation, text))
    });
    environment.add_filter("tojson", to_json);
}

/// Methods of Python's texts that the library does not know.
fn method(
    state: &mut State<'_, '_>,
    value: &Value,
    name: &str,
    args: &[Value],
) -> Result<Value, Error> {
    let (Some(text), Some(part)) = (value.as_str(), args.first().and_then(Value::as_str)) else {
        return pycompat::unknown_method_callback(state, value, name, args);
    };
    let list = |parts: &[&str]| parts.iter().map(|part| Value::from(*part)).collect::<Value>();
    let three = |found: Option<(&str, &str)>, rest: [&str; 3]| match found {
        Some((before, after)) => list(&[before, part, after]),
        None => list(&rest),
    };
    Ok(match name {
        "removeprefix" => text.strip_prefix(part).unwrap_or(text).into(),
        "removesuffix" => text.strip_suffix(part).unwrap_or(text).into(),
        "partition" => three(text.split_once(part), [text, "", ""]),
        "rpartition" => three(text.rsplit_once(part), ["", "", text]),
        "rsplit" => {
            let most = args.get(1).and_then(|n| usize::try_from(n.clone()).ok());
            let most = most.map_or(usize::MAX, |n| n.saturating_add(1));
            let mut parts: Vec<&str> = text.rsplitn(most, part).collect();
            parts.reverse();
            list(&parts)
        }
        _ => return pycompat::unknown_method_callback(state, value, name, args),
    })
}

/// JSON as Python writes it, with spaces behind commas and colons: models were trained on that.
fn to_json(value: &Value, options: Kwargs) -> Result<Value, Error> {
    let indent: Option<usize> = options.get("indent")?;
    let separators: Option<Vec<String>> = options.get("separators")?;
    let only_ascii: Option<bool> = options.get("ensure_ascii")?;
    let is_sorted: Option<bool> = options.get("sort_keys")?;
    let (item, key) = match separators.as_deref() {
        Some([item, key]) => (item.clone(), key.clone()),
        _ if indent.is_some() => (",".to_owned(), ": ".to_owned()),
        _ => (", ".to_owned(), ": ".to_owned()),
    };
    let indent = indent.map(|n| n.min(MAX_INDENT));
    let format = Python { item, key, indent, level: 0, is_empty: true };
    let bad = |error: serde_json::Error| Error::new(ErrorKind::BadSerialization, error.to_string());
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, format);
    if is_sorted == Some(true) {
        let mut sorted = serde_json::to_value(value).map_err(bad)?;
        sorted.sort_all_objects();
        sorted.serialize(&mut writer).map_err(bad)?;
    } else {
        value.serialize(&mut writer).map_err(bad)?;
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if only_ascii == Some(true) {
        text = escape(&text);
    }
    Ok(Value::from_safe_string(text))
}

/// Letters outside of ASCII as JSON escapes them; they stand in texts alone.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii() {
            out.push(letter);
            continue;
        }
        for half in letter.encode_utf16(&mut [0; 2]) {
            // A string takes everything.
            let _ = write!(out, "\\u{half:04x}");
        }
    }
    out
}

/// How JSON is laid out.
struct Python {
    item: String,
    key: String,
    indent: Option<usize>,
    level: usize,
    is_empty: bool,
}

impl Python {
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W, sign: &[u8]) -> io::Result<()> {
        self.level += 1;
        self.is_empty = true;
        writer.write_all(sign)
    }

    fn close<W: ?Sized + io::Write>(&mut self, writer: &mut W, sign: &[u8]) -> io::Result<()> {
        self.level = self.level.saturating_sub(1);
        if !self.is_empty {
            self.start_line(writer)?;
        }
        self.is_empty = false;
        writer.write_all(sign)
    }

    fn separate<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(self.item.as_bytes())?;
        }
        self.is_empty = false;
        self.start_line(writer)
    }

    fn start_line<W: ?Sized + io::Write>(&self, writer: &mut W) -> io::Result<()> {
        match self.indent {
            Some(n) => write!(writer, "\n{:1$}", "", n * self.level),
            None => Ok(()),
        }
    }
}

impl serde_json::ser::Formatter for Python {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(self.key.as_bytes())
    }
}

/// A time, as seconds since 1970, in the form that a template asks for; the form itself where it is
/// none.
pub(super) fn strftime(format: &str, now_s: i64) -> String {
    let mut out = String::new();
    let time = chrono::DateTime::from_timestamp(now_s, 0).unwrap_or_default();
    match write!(out, "{}", time.format(format)) {
        Ok(()) => out,
        Err(_) => format.to_owned(),
    }
}
