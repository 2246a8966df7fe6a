//! The lists of an engine that has everything.

use engine::{List, Services};
use worker::Sent;

/// The lists of what an engine answers, with all backends.
pub type Lists = Services<Sent, backends::All>;

/// What the page as one file has beside [`CORE`]: it can load nothing later.
pub const ONE_FILE: [List<Sent>; 5] = [
    List::Here(Lists::BENCH),
    List::Here(Lists::KNOWLEDGE),
    List::Here(Lists::FAMILIES),
    List::Here(Lists::KGOT),
    List::Here(Lists::TOOLFORMER),
];
