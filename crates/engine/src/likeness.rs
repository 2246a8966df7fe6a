//! How alike texts are: by their letters, or by a table of words that the page has fetched.

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use text::{Embedded, Meaning, NGrams, WordTable};

/// The most letters of a table in base64; the one that ships has 2.4 million.
const MAX_TABLE: usize = 12_000_000;

/// A way to tell likeness: by the table of words whose file is given in base64, else by trigrams.
pub(crate) fn meaning(table: Option<&str>) -> Result<Rc<dyn Meaning>, String> {
    let Some(table) = table else { return Ok(Rc::new(NGrams)) };
    if table.len() > MAX_TABLE {
        return Err(format!("the table has {} letters; at most {MAX_TABLE} are read", table.len()));
    }
    let bytes = STANDARD.decode(table).map_err(|e| format!("the table is no base64: {e}"))?;
    let table = WordTable::read(&bytes).map_err(|e| e.to_string())?;
    Ok(Rc::new(Embedded(Rc::new(table))))
}
