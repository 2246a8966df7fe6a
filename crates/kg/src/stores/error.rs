//! What can go wrong with a store.

/// Why a store was not asked, or its answer is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The address is none.
    #[error("{url:?} is no address of a store; expected https://… or http://…")]
    Url {
        /// The address, cut where it is long.
        url: String,
    },
    /// The address has a login in it.
    #[error(
        "the address has a login in it; give name and password apart, so that no log shows them"
    )]
    Login,
    /// The language is none.
    #[error("{language:?} is no language; expected one such as \"en\"")]
    Language {
        /// The language that was asked for.
        language: String,
    },
    /// The database's name is none.
    #[error("{name:?} is no name of a database; expected letters, digits, \".\" and \"-\"")]
    Database {
        /// The name that was given.
        name: String,
    },
    /// Too much or nothing is asked for.
    #[error("the limit is {value}; expected 1 to {most}")]
    Limit {
        /// The number that was given.
        value: usize,
        /// The largest number that is taken.
        most: usize,
    },
    /// Too many nodes or none are asked about.
    #[error("{value} nodes are asked about; expected 1 to {most}")]
    Nodes {
        /// The number of nodes that were given.
        value: usize,
        /// The most nodes that are taken.
        most: usize,
    },
    /// The name is empty or too long.
    #[error("the name has {n_bytes} bytes; expected 1 to 1000 and not only spaces")]
    Name {
        /// The size of the answer in bytes.
        n_bytes: usize,
    },
    /// An id that no node of such a store has.
    #[error("{id:?} is no id of a node there; expected {expected}")]
    Id {
        /// The id that was given.
        id: String,
        /// What it should look like.
        expected: &'static str,
    },
    /// The name of a copy is none.
    #[error(
        "{name:?} is no name of a copy; expected 1 to 60 letters, digits, \"-\", \"_\" and \".\""
    )]
    CopyName {
        /// The name that was given.
        name: String,
    },
    /// A statement has values, and the store takes text alone.
    #[error("a SPARQL store takes no values beside the text of an update; write them into it")]
    Values,
    /// The query is empty or too long.
    #[error("the query has {n_bytes} bytes; expected 1 to {most} and not only spaces")]
    Query {
        /// The size of the query in bytes.
        n_bytes: usize,
        /// The most bytes that are sent.
        most: usize,
    },
    /// Nobody has allowed writing there.
    #[error("writing to {address} is not confirmed: {typed:?} was typed; type the whole address")]
    NotConfirmed {
        /// The address that would be written to.
        address: String,
        /// What was typed in its place, cut where it is long.
        typed: String,
    },
    /// The store said no.
    #[error("the store refused with status {status}: {said}")]
    Refused {
        /// The HTTP status, which is not one of success.
        status: u16,
        /// How its answer begins.
        said: String,
    },
    /// The answer breaks off.
    #[error("the answer breaks off after {n_bytes} bytes; expected a whole JSON object")]
    Half {
        /// How much there is.
        n_bytes: usize,
    },
    /// The answer is something else.
    #[error("the answer is not JSON ({reason}); it begins with {start:?}")]
    NotJson {
        /// What the reader said.
        reason: String,
        /// The first characters of the answer.
        start: String,
    },
    /// The answer is JSON and not an answer.
    #[error("the answer has no {missing}; expected {expected}")]
    Shape {
        /// The part of the answer that is missing.
        missing: String,
        /// What an answer is like.
        expected: &'static str,
    },
    /// The answer is too long.
    #[error("the answer has {n_bytes} bytes; at most {most} are read")]
    TooLong {
        /// How long it is.
        n_bytes: usize,
        /// The most bytes that are read.
        most: usize,
    },
}
