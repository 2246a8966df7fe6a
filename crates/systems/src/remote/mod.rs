//! Graphs that live elsewhere: a store driven over a transport.
//!
//! Only the schema of a [`RemoteKg`] is here. GraphRunner plans and verifies on it; what the plan
//! needs is then asked of the store, and the plan runs on that part as on any graph.

mod copy;

use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Transport};
use kg::find::{FindOptions, Finder};
use kg::plan::{Plan, Semantics};
use kg::property::PropertyGraph;
use kg::stores::{
    Ask, ConfirmedForWriting, PartError, QueryStore, Store, StoreAddress, StoreError, StorePart,
    StoreRequest, StoreRows, StoreStatement, Told, find, schema,
};
use kg::{Kg, KgBuilder, KgError, Schema};
use llm::{Endpoint, HttpRequest, HttpResponse, ModelError, providers};
use text::NGrams;

pub use copy::{CopyPlace, GraphCopy, StorePlace};

/// The most types that are asked for.
const MAX_TYPES: usize = 2_000;

/// Why a store gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// No kind of store has that name.
    #[error("there is no kind of store {kind:?}; there are {known}")]
    Kind {
        /// The name of the kind of store.
        kind: String,
        /// Those that there are.
        known: String,
    },
    /// It refused, or what it sent is not a whole answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not be asked.
    #[error(transparent)]
    Transport(#[from] ModelError),
    /// It has no graph that could be asked about.
    #[error("{url} has no typed nodes with edges between them: there is nothing to plan on")]
    Nothing {
        /// The address of the store.
        url: String,
    },
    /// What the plan needs cannot be brought here.
    #[error(transparent)]
    Part(#[from] PartError),
    /// It was cancelled before its end.
    #[error("stopped")]
    Stopped,
}

/// A graph in a store.
pub struct RemoteKg {
    kind: &'static str,
    store: Box<dyn Store>,
    endpoint: Endpoint,
    schema: Schema,
    counts: Counts,
}

/// What a store has in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes, those of several types counted with each.
    pub n_nodes: u64,
    /// The number of edges.
    pub n_edges: u64,
    /// Whether there are more types than were asked for.
    pub is_cut: bool,
}

/// What was brought here for a plan.
pub struct Brought {
    /// The part of the graph, with what nodes are found by.
    pub finder: Finder,
    /// How nodes are found on it.
    pub find: FindOptions,
    /// How often the store was asked.
    pub n_asks: usize,
    /// What it cut off.
    pub notes: Vec<String>,
}

impl RemoteKg {
    /// Asks a store for its schema: two requests.
    ///
    /// # Errors
    /// There is no such kind of store, it cannot be asked, or it has nothing.
    pub async fn open(
        kind: &str,
        place: StoreAddress,
        transport: &dyn Transport,
    ) -> Result<Self, RemoteError> {
        let of = kind_of(kind)?;
        let url = place.url.clone();
        let endpoint = Endpoint::new(providers::HTTP, url.as_str());
        let store = (of.open)(place)?;
        let mut remote = Self {
            kind: of.id,
            store,
            endpoint,
            schema: Schema::default(),
            counts: Counts::default(),
        };
        let types = remote.ask(&Ask::NodeTypes { limit: MAX_TYPES }, transport).await?;
        let ends = remote.ask(&Ask::EdgeTypes { limit: MAX_TYPES }, transport).await?;
        let (Told::NodeTypes { types, is_cut }, Told::EdgeTypes { ends, is_cut: is_cut_too }) =
            (types, ends)
        else {
            return Err(RemoteError::Nothing { url });
        };
        if ends.is_empty() {
            return Err(RemoteError::Nothing { url });
        }
        remote.counts = Counts {
            n_nodes: types.iter().map(|t| t.n_nodes).sum(),
            n_edges: ends.iter().map(|e| e.n_edges).sum(),
            is_cut: is_cut || is_cut_too,
        };
        remote.schema = schema(&types, &ends);
        Ok(remote)
    }

    /// What kind of store it is.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The address of the store.
    pub fn url(&self) -> &str {
        &self.endpoint.base_url
    }

    /// What it has in all.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// A graph without nodes, with the store's schema: what is planned and verified on.
    ///
    /// # Errors
    /// None that an empty graph could cause.
    pub fn outline(&self) -> Result<Kg, KgError> {
        Ok(KgBuilder::new(self.url()).build()?.with_types(&self.schema))
    }

    /// One ask.
    ///
    /// # Errors
    /// The store cannot be asked, refuses, or sends no whole answer.
    pub async fn ask(&self, ask: &Ask, transport: &dyn Transport) -> Result<Told, RemoteError> {
        let request = sent(self.store.request(ask)?);
        let HttpResponse { status, body, .. } = transport.send(&self.endpoint, request).await?;
        Ok(self.store.read(ask, status, &body)?)
    }

    /// Brings here what a plan needs.
    ///
    /// # Errors
    /// As [`StorePart`] and [`RemoteKg::ask`] have them.
    pub async fn bring(
        &self,
        plan: &Plan,
        semantics: Semantics,
        options: FindOptions,
        transport: &dyn Transport,
        cancel: &Cancel,
    ) -> Result<Brought, RemoteError> {
        let mut part = StorePart::new(self.url(), self.schema.clone(), plan.clone(), semantics)?;
        while let Some(ask) = part.next()? {
            if cancel.is_cancelled() {
                return Err(RemoteError::Stopped);
            }
            let told = self.ask(&ask, transport).await?;
            part.take(&ask, told);
        }
        let kg = Arc::new(part.kg().map_err(PartError::from)?);
        Ok(Brought {
            finder: Finder::new(kg, Rc::new(NGrams)),
            find: StorePart::find_options(options),
            n_asks: part.n_asks(),
            notes: part.notes().to_vec(),
        })
    }
}

fn kind_of(kind: &str) -> Result<&'static kg::stores::StoreKind, RemoteError> {
    find(kind).ok_or_else(|| {
        let known = kg::stores::STORES.iter().map(|s| s.id).collect::<Vec<_>>().join(", ");
        RemoteError::Kind { kind: kind.to_owned(), known }
    })
}

fn sent(request: StoreRequest) -> HttpRequest {
    let StoreRequest { method, url, headers, body } = request;
    HttpRequest { method, url, headers, body }
}

/// A store that is asked and changed in its own language, over a transport. It may be a person's
/// own: a write needs what that person typed.
pub struct RemoteQueries {
    store: Box<dyn QueryStore>,
    reads: Endpoint,
    writes: Endpoint,
}

impl RemoteQueries {
    /// A store at a place; updates may go to an address of their own. Nothing is asked yet.
    ///
    /// # Errors
    /// There is no such kind of store, or an address is none.
    pub fn open(
        kind: &str,
        place: StoreAddress,
        update_url: Option<String>,
    ) -> Result<Self, RemoteError> {
        let reads = Endpoint::new(providers::HTTP, place.url.as_str());
        let writes = Endpoint::new(
            providers::HTTP,
            update_url.clone().unwrap_or_else(|| reads.base_url.clone()),
        );
        let store = (kind_of(kind)?.queries)(place, update_url)?;
        Ok(Self { store, reads, writes })
    }

    /// The language of its queries: `Cypher` or `SPARQL`.
    pub fn language(&self) -> &'static str {
        self.store.language()
    }

    /// The address that a write changes: what a person types to allow it.
    pub fn writes_to(&self) -> String {
        self.store.writes_to()
    }

    /// Reads, up to so many rows.
    ///
    /// # Errors
    /// The store cannot be asked, refuses, or sends no whole answer.
    pub async fn read(
        &self,
        query: &str,
        max_rows: usize,
        transport: &dyn Transport,
    ) -> Result<StoreRows, RemoteError> {
        let request = sent(self.store.query(query)?);
        let HttpResponse { status, body, .. } = transport.send(&self.reads, request).await?;
        Ok(self.store.rows(status, &body, max_rows)?)
    }

    /// Writes, and gives up to so many rows where the query gives some. It is never sent twice: a
    /// write whose answer is lost may have been carried out.
    ///
    /// # Errors
    /// Another address was confirmed; the store cannot be asked, refuses, or sends no whole answer.
    pub async fn write(
        &self,
        query: &str,
        confirmed: &ConfirmedForWriting,
        max_rows: usize,
        transport: &dyn Transport,
    ) -> Result<StoreRows, RemoteError> {
        let request = sent(self.store.update(query, confirmed)?);
        let HttpResponse { status, body, .. } = transport.send(&self.writes, request).await?;
        Ok(self.store.written(status, &body, max_rows)?)
    }

    /// Writes by a statement with values of its own.
    async fn change(
        &self,
        statement: &StoreStatement,
        confirmed: &ConfirmedForWriting,
        transport: &dyn Transport,
    ) -> Result<(), RemoteError> {
        let request = sent(self.store.change(statement, confirmed)?);
        let HttpResponse { status, body, .. } = transport.send(&self.writes, request).await?;
        self.store.written(status, &body, 0)?;
        Ok(())
    }

    fn statements(
        &self,
        name: &str,
        before: Option<&PropertyGraph>,
        now: &PropertyGraph,
    ) -> Result<Vec<StoreStatement>, RemoteError> {
        Ok(self.store.copy(name, before, now)?)
    }
}
