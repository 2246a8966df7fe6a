//! Files and bytes beside a message: weights of a model and the like, which are too large for it.

use std::cell::RefCell;
use std::rc::Rc;

type Named = (String, Vec<u8>);
/// What stands before some texts and is none of them.
const BYTE_ORDER_MARK: char = '\u{feff}';
/// Name and text of a file.
pub(crate) type TextOf = (String, String);

/// Files and named bytes that came with a request. Whoever needs them takes them, so that what is
/// large is in memory once.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    files: Rc<RefCell<Vec<Named>>>,
    bytes: Rc<RefCell<Vec<Named>>>,
}

impl Attachments {
    /// Bytes under their names.
    pub fn new(named: Vec<(String, Vec<u8>)>) -> Self {
        Self { bytes: Rc::new(RefCell::new(named)), ..Self::default() }
    }

    /// The same with files, each its name and its bytes, unpacked where they were in gzip.
    #[must_use]
    pub fn with_files(self, files: Vec<(String, Vec<u8>)>) -> Self {
        Self { files: Rc::new(RefCell::new(files)), ..self }
    }

    /// Takes the files as they are.
    pub(crate) fn take_bytes(&self) -> Vec<Named> {
        self.files.take()
    }

    /// Takes the files as texts.
    pub(crate) fn take_files(&self) -> Vec<TextOf> {
        let text = |(name, bytes): Named| (name, text_of(bytes));
        self.files.take().into_iter().map(text).collect()
    }

    /// Takes what is attached under a name.
    ///
    /// # Errors
    /// If nothing is, saying what is.
    pub fn take(&self, name: &str) -> Result<Vec<u8>, String> {
        let mut all = self.bytes.borrow_mut();
        if let Some(at) = all.iter().position(|(n, _)| n == name) {
            return Ok(all.swap_remove(at).1);
        }
        let there: Vec<&str> = all.iter().map(|(n, _)| n.as_str()).collect();
        let there = if there.is_empty() { "nothing".to_owned() } else { there.join(", ") };
        Err(format!("{name} is not attached to the request; attached is {there}"))
    }
}

/// A file's text as a browser reads it: without a byte order mark, and with a sign in the place of what
/// is no UTF-8.
fn text_of(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_attached_is_taken_once() {
        let all = Attachments::new(vec![("a".into(), vec![1]), ("b".into(), vec![2, 3])]);
        assert_eq!(all.take("b"), Ok(vec![2, 3]));
        assert_eq!(
            all.take("b"),
            Err("b is not attached to the request; attached is a".to_owned())
        );
        assert_eq!(all.take("a"), Ok(vec![1]));
        assert!(all.take("a").unwrap_err().ends_with("attached is nothing"));
    }
}
