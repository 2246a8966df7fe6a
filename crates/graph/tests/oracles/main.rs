//! Every function that is more than a look-up, against slow and obvious brute force on small random
//! graphs.

mod flows;
mod metrics;
mod paths;
mod robust;
mod small;
mod structure;
