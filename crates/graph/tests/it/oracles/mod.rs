//! Every function that is more than a look-up, against slow and obvious brute force on small random
//! graphs.

// Brute force reads best with indices.
#![allow(clippy::needless_range_loop)]

mod exact;
mod flows;
mod metrics;
mod parts;
mod paths;
mod robust;
mod routes;
mod small;
mod structure;
