//! Formulas of Word (OMML) and of pages (MathML) as a line of text: `(a + b)/c`, `x^2`, `√(y)`.

/// How many elements of a formula may lie within each other; what is deeper is put side by side.
const DEEP: usize = 64;

/// A formula as it grows: each element that is open, with the texts of those within it.
#[derive(Debug, Default)]
pub(crate) struct Formula {
    open: Vec<(Vec<u8>, Vec<String>)>,
    deeper: usize,
    /// The sign of a sum or an integral, which Word says beside it.
    sign: Option<String>,
    /// The two signs of a bracket of Word, where they are not round.
    brackets: Option<(String, String)>,
}

impl Formula {
    /// Opens an element by its name without its name space.
    pub(crate) fn open(&mut self, name: &[u8]) {
        if self.open.len() >= DEEP {
            self.deeper += 1;
        } else {
            self.open.push((name.to_owned(), Vec::new()));
        }
    }

    /// Whether no element is open.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes what Word says as a property.
    pub(crate) fn property(&mut self, name: &[u8], value: Option<String>) {
        let value = value.unwrap_or_default();
        match name {
            b"chr" => self.sign = Some(value),
            b"begChr" => self.brackets.get_or_insert_with(round).0 = value,
            b"endChr" => self.brackets.get_or_insert_with(round).1 = value,
            _ => {}
        }
    }

    /// Appends a text to the element that is open.
    pub(crate) fn text(&mut self, text: &str) {
        if let Some((_, parts)) = self.open.last_mut() {
            parts.push(text.to_owned());
        }
    }

    /// Closes the innermost element; the whole formula where it was the last.
    pub(crate) fn close(&mut self) -> Option<String> {
        if self.deeper > 0 {
            self.deeper -= 1;
            return None;
        }
        let (name, parts) = self.open.pop()?;
        let text = self.line(&name, &parts);
        match self.open.last_mut() {
            Some((_, parent)) => {
                // Properties are no part of the element that has them.
                if !name.ends_with(b"Pr") {
                    parent.push(text);
                }
                None
            }
            None => Some(text),
        }
    }

    fn line(&mut self, name: &[u8], parts: &[String]) -> String {
        let at = |place: usize| parts.get(place).map_or("", String::as_str);
        let whole = |place: usize| grouped(at(place));
        match name {
            b"f" | b"mfrac" => format!("{}/{}", whole(0), whole(1)),
            b"sSup" | b"msup" => format!("{}^{}", whole(0), whole(1)),
            b"sSub" | b"msub" | b"munder" | b"limLow" => format!("{}_{}", whole(0), whole(1)),
            b"limUpp" => format!("{}^{}", whole(0), whole(1)),
            // A mark above a letter.
            b"mover" => format!("{}{}", at(0), at(1)),
            b"sSubSup" | b"msubsup" | b"munderover" => {
                format!("{}_{}^{}", whole(0), whole(1), whole(2))
            }
            b"sPre" => format!("_{}^{}{}", whole(0), whole(1), at(2)),
            b"rad" if parts.len() < 2 || at(0).trim().is_empty() => {
                format!("√{}", grouped(parts.last().map_or("", String::as_str)))
            }
            b"rad" => format!("√[{}]{}", at(0), whole(1)),
            b"msqrt" => format!("√{}", grouped(&parts.concat())),
            b"mroot" => format!("√[{}]{}", at(1), whole(0)),
            b"nary" => {
                let sign = self.sign.take().unwrap_or_else(|| "∫".into());
                let bound = |mark: &str, place: usize| match at(place).trim() {
                    "" => String::new(),
                    _ => format!("{mark}{}", whole(place)),
                };
                format!("{sign}{}{} {}", bound("_", 0), bound("^", 1), at(2))
            }
            b"func" => format!("{} {}", at(0), at(1)),
            b"d" => {
                let (open, close) = self.brackets.take().unwrap_or_else(round);
                format!("{open}{}{close}", parts.join(", "))
            }
            b"acc" | b"bar" | b"groupChr" => {
                self.sign = None;
                parts.concat()
            }
            b"m" | b"mtable" | b"eqArr" => format!("[{}]", parts.join("; ")),
            b"mr" | b"mtr" | b"mlabeledtr" => parts.join(", "),
            _ => parts.concat(),
        }
    }
}

fn round() -> (String, String) {
    ("(".into(), ")".into())
}

/// A text in brackets, unless it is one word or number.
pub(crate) fn grouped(text: &str) -> String {
    let text = text.trim();
    let inner = text.strip_prefix(['-', '+', '−']).unwrap_or(text);
    let is_one = inner.chars().all(|c| c.is_alphanumeric() || "'′.,°*%∞".contains(c));
    if is_one { text.to_owned() } else { format!("({text})") }
}
