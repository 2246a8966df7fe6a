//! Names that no table has: they are spelled.

use crate::vocabulary::{FIRST_NAME, N_NAMES};

/// The names that a conversation has spelled, in the order in which they came.
///
/// A name is what stands directly behind `#`: the number of a paper, the id of a person or a thing, a
/// relation. No table has them, so that they are spelled; whoever repeats one begins with the token
/// of the first time, and looks at the same place of the same name.
#[derive(Clone, Debug, Default)]
pub struct SpelledNames {
    /// The latest ones, each at its number.
    names: Vec<String>,
    n_so_far: usize,
}

impl SpelledNames {
    /// The token with which a name begins.
    pub(crate) fn token(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|known| known == name);
        let place = known.unwrap_or_else(|| {
            let place = self.n_so_far % N_NAMES as usize;
            self.n_so_far += 1;
            match self.names.get_mut(place) {
                Some(oldest) => name.clone_into(oldest),
                None => self.names.push(name.to_owned()),
            }
            place
        });
        FIRST_NAME + place as u32
    }
}

/// How many bytes of a text are a name, where it begins behind `before`.
pub(crate) fn name_len(before: &str, text: &str) -> usize {
    if before.ends_with('#') {
        let ends = |c: char| !c.is_ascii_graphic() || "\"[](){}<>,;?!#".contains(c);
        let run = text.split(ends).next().unwrap_or_default();
        return run.trim_end_matches(['.', ':', '\'']).len();
    }
    // A thing may be numbered without the sign.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = before.ends_with("numbered ") && text[digits..].starts_with(" in ");
    if is_numbered { digits } else { 0 }
}
