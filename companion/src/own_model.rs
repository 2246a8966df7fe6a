//! The model that this project trains itself: `local:own` for problems, `local:people` for questions in
//! people's own words, `local:alone` trained without tools, or `local:FILE.bin` for another file of its
//! form.

use std::path::Path;

use anyhow::{Context as _, Result};
use ownmodel::{OwnModel, OwnOptions};

use crate::input;

/// Its name behind `local:`.
pub(crate) const NAME: &str = "own";
/// The name of the weights for people's own words.
pub(crate) const PEOPLE: &str = "people";
/// The weights that ship.
static SHIPPED: [(&str, &[u8]); 3] = [
    (NAME, include_bytes!("../../assets/models/own/own.bin")),
    (PEOPLE, include_bytes!("../../assets/models/own/people.bin")),
    ("alone", include_bytes!("../../assets/models/own/alone.bin")),
];

fn shipped(name: &str) -> Option<&'static [u8]> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// The name of a model with `local:`, or that of the weights for people's own words in place of our own.
pub(crate) fn for_people(model: &str) -> &str {
    if model == "local:own" { "local:people" } else { model }
}

/// Whether a name behind `local:` is one of this kind of model.
pub fn is_own(name: &str) -> bool {
    shipped(name).is_some()
        || Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("bin"))
}

/// The bytes of the file of a name.
pub fn bytes(name: &str) -> Result<Vec<u8>> {
    if let Some(shipped) = shipped(name) {
        return Ok(shipped.to_vec());
    }
    input::bytes(Path::new(name), ownmodel::file::MAX_FILE)
}

/// Reads the model of a name behind `local:` into memory.
pub fn load(name: &str) -> Result<OwnModel> {
    OwnModel::load(&bytes(name)?, OwnOptions::default()).with_context(|| name.to_owned())
}
