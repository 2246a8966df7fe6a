//! The model that this project trains itself: `local:own`, or `local:FILE.bin` for another file of
//! its form.

use std::path::Path;

use anyhow::{Context as _, Result};
use ownmodel::{OwnModel, OwnOptions};

use crate::input;

/// Its name behind `local:`.
pub(crate) const NAME: &str = "own";
/// The weights that ship.
static SHIPPED: &[u8] = include_bytes!("../../assets/models/own/own.bin");

/// Whether a name behind `local:` is one of this kind of model.
pub fn is_own(name: &str) -> bool {
    name == NAME || Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("bin"))
}

/// The bytes of the file of a name.
pub fn bytes(name: &str) -> Result<Vec<u8>> {
    if name == NAME {
        return Ok(SHIPPED.to_vec());
    }
    input::bytes(Path::new(name), ownmodel::file::MAX_FILE)
}

/// Reads the model of a name behind `local:` into memory.
pub fn load(name: &str) -> Result<OwnModel> {
    OwnModel::load(&bytes(name)?, OwnOptions::default()).with_context(|| name.to_owned())
}
