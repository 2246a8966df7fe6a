//! Values as Python prints them, which is how the results of the paper's tools are written.

/// A text in double quotes.
pub fn quoted(text: &str) -> String {
    quoted_by(text, '"')
}

/// A text as Python's `repr` writes it: in single quotes, or in double ones where it has an
/// apostrophe and no double quote.
pub fn text(text: &str) -> String {
    quoted_by(text, if text.contains('\'') && !text.contains('"') { '"' } else { '\'' })
}

fn quoted_by(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                out.push_str(&format!("\\x{:02x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A floating-point number: the shortest digits that are read as the same number, always with a
/// point or an exponent, and with an exponent below 1e-4 and from 1e16 on.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let size = value.abs();
    if value != 0.0 && !(1e-4..1e16).contains(&size) {
        let scientific = format!("{value:e}");
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(rest) => ('-', rest),
            None => ('+', exponent),
        };
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    let plain = format!("{value}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

/// A list of what is printed already.
pub fn list<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = all.into_iter().map(|v| v.to_string()).collect();
    format!("[{}]", all.join(", "))
}

/// A dictionary of what is printed already.
pub fn dict<K: std::fmt::Display, V: std::fmt::Display>(
    all: impl IntoIterator<Item = (K, V)>,
) -> String {
    let all: Vec<String> = all.into_iter().map(|(k, v)| format!("{k}: {v}")).collect();
    format!("{{{}}}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_written_as_python_writes_them() {
        // What `repr` of Python 3.11 gives.
        for (value, written) in [
            (1.0, "1.0"),
            (0.8, "0.8"),
            (2.631_578_947_368_421_2, "2.6315789473684212"),
            (1e-4, "0.0001"),
            (9.999e-5, "9.999e-05"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (-0.0, "-0.0"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(float(value), written);
        }
        assert_eq!(text("it's"), "\"it's\"");
        assert_eq!(text("a\"'\n\u{1}"), "'a\"\\'\\n\\x01'");
        assert_eq!(dict([(1, list([2, 3]))]), "{1: [2, 3]}");
    }

    proptest! {
        #[test]
        fn a_number_is_read_as_itself(value in any::<f64>().prop_filter("a number", |v| !v.is_nan())) {
            prop_assert_eq!(float(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }
}
