//! The names of pages in addresses, for their states: a page's `PAGE` knows its view, and so its state.
//! Pages that others open have theirs in `services::open`.

/// `family`.
pub(crate) const FAMILY: &str = "family";
/// `kg`.
pub(crate) const KG: &str = "kg";
/// `kgot`.
pub(crate) const KGOT: &str = "kgot";
/// `lessons`.
pub(crate) const LESSONS: &str = "lessons";
/// `lie`.
pub(crate) const LIE: &str = "lie";
/// `rescue`.
pub(crate) const RESCUE: &str = "rescue";
