//! A graph that stays in a store.

use kg::stores::{StoreAddress, find};
use systems::remote::RemoteKg;

use protocol::kg::KgView;

use crate::context::Context;
use crate::fetch::PageTransport;

/// Asks a store for its schema.
pub(super) async fn open(
    context: &Context,
    kind: &str,
    place: StoreAddress,
) -> Result<RemoteKg, String> {
    let transport = PageTransport::new(context);
    RemoteKg::open(kind, place, &transport).await.map_err(|e| e.to_string())
}

/// What the page shows of a graph of which only the schema is here.
pub(super) fn tell(view: &mut KgView, remote: &RemoteKg) {
    let counts = remote.counts();
    view.n_nodes = usize::try_from(counts.n_nodes).unwrap_or(usize::MAX);
    view.n_edges = usize::try_from(counts.n_edges).unwrap_or(usize::MAX);
    view.store = find(remote.kind()).map(|s| s.title.to_owned());
}
