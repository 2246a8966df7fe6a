//! Files that earlier versions wrote, read into the types of today.

pub(crate) mod results;
pub(crate) mod v1;
