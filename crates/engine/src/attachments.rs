//! Bytes beside a message: weights of a model and the like, which are too large for its text.

use std::cell::RefCell;
use std::rc::Rc;

/// Named bytes that came with a request. Whoever needs them takes them, so that what is large is in
/// memory once.
#[derive(Clone, Debug, Default)]
pub struct Attachments(Rc<RefCell<Vec<(String, Vec<u8>)>>>);

impl Attachments {
    /// Bytes under their names.
    pub fn new(named: Vec<(String, Vec<u8>)>) -> Self {
        Self(Rc::new(RefCell::new(named)))
    }

    /// Takes what is attached under a name.
    ///
    /// # Errors
    /// If nothing is, saying what is.
    pub fn take(&self, name: &str) -> Result<Vec<u8>, String> {
        let mut all = self.0.borrow_mut();
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
