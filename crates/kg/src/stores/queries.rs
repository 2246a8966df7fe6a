//! Queries in a store's own language, to read its graph and to change it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::statement::StoreStatement;
use super::{MAX_ANSWER, StoreError, StoreRequest};
use crate::property::PropertyGraph;

/// The longest query, in bytes.
pub const MAX_QUERY: usize = 200_000;
/// The most bytes that the values of an answer take here; what comes after is cut.
const MAX_VALUES: usize = 4_000_000;

/// A store that answers queries in its own language. Whoever drives it sends the requests, and hands
/// back what came.
pub trait QueryStore {
    /// The language of its queries: `Cypher` or `SPARQL`.
    fn language(&self) -> &'static str;

    /// The address that a write changes: what a person types to confirm it.
    fn writes_to(&self) -> String;

    /// What to send for a query that reads.
    ///
    /// # Errors
    /// The query is empty or too long.
    fn query(&self, query: &str) -> Result<StoreRequest, StoreError>;

    /// What to send for a query that writes.
    ///
    /// # Errors
    /// The query is empty or too long, or another address was confirmed.
    fn update(
        &self,
        query: &str,
        confirmed: &ConfirmedForWriting,
    ) -> Result<StoreRequest, StoreError>;

    /// What to send for a statement with values of its own.
    ///
    /// # Errors
    /// As [`QueryStore::update`]; or the store takes no values.
    fn change(
        &self,
        statement: &StoreStatement,
        confirmed: &ConfirmedForWriting,
    ) -> Result<StoreRequest, StoreError>;

    /// The statements that make the copy of a name in the store what `now` is. `before` is what the
    /// copy is at present; without one, what stands under the name there is replaced. Nothing else in
    /// the store is changed. O(n + m).
    ///
    /// # Errors
    /// The name cannot be one of a copy.
    fn copy(
        &self,
        name: &str,
        before: Option<&PropertyGraph>,
        now: &PropertyGraph,
    ) -> Result<Vec<StoreStatement>, StoreError>;

    /// What came back of a query that reads, up to so many rows.
    ///
    /// # Errors
    /// The store refused, or what it sent is not a whole answer.
    fn rows(&self, status: u16, body: &str, max_rows: usize) -> Result<StoreRows, StoreError>;

    /// What came back of a query that writes, up to so many rows where it gives some.
    ///
    /// # Errors
    /// The store refused, or what it sent is not a whole answer: then nobody knows whether it wrote.
    fn written(&self, status: u16, body: &str, max_rows: usize) -> Result<StoreRows, StoreError>;
}

/// That a person has typed the address of a store to allow writing to it. There is no other way to
/// make a request that writes, so nothing writes to a store by a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedForWriting {
    address: String,
}

impl ConfirmedForWriting {
    /// Confirms writing to an address, which [`QueryStore::writes_to`] gives, by what a person typed.
    ///
    /// # Errors
    /// They differ. Spaces around and a slash at the end do not count.
    pub fn new(address: &str, typed: &str) -> Result<Self, StoreError> {
        let plain = |text: &str| text.trim().trim_end_matches('/').to_owned();
        if plain(address) != plain(typed) || plain(address).is_empty() {
            let typed = typed.chars().take(200).collect();
            return Err(StoreError::NotConfirmed { address: plain(address), typed });
        }
        Ok(Self { address: plain(address) })
    }

    /// The address that may be written to.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Refuses to write elsewhere.
    pub(super) fn check(&self, address: &str) -> Result<(), StoreError> {
        Self::new(address, &self.address).map(drop)
    }
}

/// What a query gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoreRows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The values of each row, in the order of the columns; null where there is none.
    pub rows: Vec<Vec<Value>>,
    /// Whether there were more rows than are here.
    pub is_cut: bool,
    /// What was changed, where the store counts it: `nodesCreated` and the like.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub changes: Map<String, Value>,
}

impl StoreRows {
    /// Adds rows up to a number, and up to a size in all.
    pub(super) fn fill(&mut self, rows: impl Iterator<Item = Vec<Value>>, max_rows: usize) {
        let mut n_bytes = 0;
        for row in rows {
            n_bytes += row.iter().map(size).sum::<usize>();
            if self.rows.len() == max_rows || n_bytes > MAX_VALUES {
                self.is_cut = true;
                return;
            }
            self.rows.push(row);
        }
    }
}

/// About how many bytes a value takes.
fn size(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(map) => map.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 0,
    };
    inner + 16
}

/// Refuses what is no query.
pub(super) fn check_query(query: &str) -> Result<(), StoreError> {
    if query.trim().is_empty() || query.len() > MAX_QUERY {
        return Err(StoreError::Query { n_bytes: query.len(), most: MAX_QUERY });
    }
    Ok(())
}

/// Refuses an answer that is too long to be read.
pub(super) fn check_length(body: &str) -> Result<(), StoreError> {
    if body.len() > MAX_ANSWER {
        return Err(StoreError::TooLong { n_bytes: body.len(), most: MAX_ANSWER });
    }
    Ok(())
}
