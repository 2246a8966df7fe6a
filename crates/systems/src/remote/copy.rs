//! A graph that grows here, and its copy in a store elsewhere.

use agent::Transport;
use kg::property::PropertyGraph;
use kg::stores::{ConfirmedForWriting, StoreAddress, check_copy_name};
use serde::{Deserialize, Serialize};

use super::{RemoteError, RemoteQueries};

/// A store that a person has named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorePlace {
    /// The kind of store: `neo4j`, `sparql`.
    pub kind: String,
    /// Where it is.
    pub address: StoreAddress,
    /// Where its updates go, if elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_url: Option<String>,
}

impl StorePlace {
    /// The store, which is not asked yet.
    ///
    /// # Errors
    /// There is no such kind of store, or an address is none.
    pub fn open(&self) -> Result<RemoteQueries, RemoteError> {
        RemoteQueries::open(&self.kind, self.address.clone(), self.update_url.clone())
    }
}

/// Where a copy of a graph is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyPlace {
    /// The store.
    pub store: StorePlace,
    /// The name of the copy there.
    pub name: String,
    /// What a person typed to allow writing: the address that [`RemoteQueries::writes_to`] gives.
    pub confirmed: String,
}

/// A copy of a graph in a store.
pub struct GraphCopy {
    store: RemoteQueries,
    confirmed: ConfirmedForWriting,
    name: String,
    /// What it is; none where that is not known.
    is: Option<PropertyGraph>,
}

impl GraphCopy {
    /// A copy at a place. Nothing is sent yet.
    ///
    /// # Errors
    /// The store or the name cannot be one, or another address was typed.
    pub fn open(place: &CopyPlace) -> Result<Self, RemoteError> {
        check_copy_name(&place.name)?;
        let store = place.store.open()?;
        let confirmed = ConfirmedForWriting::new(&store.writes_to(), &place.confirmed)?;
        Ok(Self { store, confirmed, name: place.name.clone(), is: None })
    }

    /// Makes the copy what the graph is now; gives how many statements that took. The first time, what
    /// stands under its name in the store is replaced, and so after an error, when nobody knows what
    /// is there.
    ///
    /// # Errors
    /// The store cannot be asked, or refuses; statements before that one stay carried out.
    pub async fn update(
        &mut self,
        now: &PropertyGraph,
        transport: &dyn Transport,
    ) -> Result<usize, RemoteError> {
        let before = self.is.take();
        let statements = self.store.statements(&self.name, before.as_ref(), now)?;
        for statement in &statements {
            self.store.change(statement, &self.confirmed, transport).await?;
        }
        self.is = Some(now.clone());
        Ok(statements.len())
    }
}
