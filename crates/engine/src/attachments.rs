//! Files and bytes beside a message: weights of a model and the like, which are too large for it.

use std::cell::RefCell;
use std::rc::Rc;

type Named = (String, Vec<u8>);
/// Name and text of a file.
pub(crate) type TextOf = (String, String);

/// Files and named bytes that came with a request. Whoever needs them takes them, so that what is
/// large is in memory once.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    files: Rc<RefCell<Vec<TextOf>>>,
    bytes: Rc<RefCell<Vec<Named>>>,
}

impl Attachments {
    /// Bytes under their names.
    pub fn new(named: Vec<(String, Vec<u8>)>) -> Self {
        Self { bytes: Rc::new(RefCell::new(named)), ..Self::default() }
    }

    /// The same with files, each its name and its text.
    #[must_use]
    pub fn with_files(self, files: Vec<(String, String)>) -> Self {
        Self { files: Rc::new(RefCell::new(files)), ..self }
    }

    /// Takes the files.
    pub(crate) fn take_files(&self) -> Vec<TextOf> {
        self.files.take()
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
