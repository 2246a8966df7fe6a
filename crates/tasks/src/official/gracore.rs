//! GraCoRe (arXiv 2407.02936): exact match.
//!
//! Its repository has no scorer; the paper says that answers are compared by exact match and says
//! no more. So we compare whole texts, without white space at their ends, and treat nothing else
//! alike: neither case nor a full stop, JSON or words around the answer.

use super::python::strip;

/// Whether an answer is the reference, character by character, but for white space at the ends.
///
/// Paper is silent: what of a text is its answer, and whether case counts.
///
/// # Complexity
/// O(length).
pub fn score(reference: &str, text: &str) -> bool {
    strip(reference) == strip(text)
}
