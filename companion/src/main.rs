//! `graphground`: Graphground's native companion.
//!
//! Exit codes: 0 all is well; 1 an input could not be read or a file could not be written; 2 the
//! command line is wrong; 3 `verify` or `run` found a problem that did not come out right, `rescue`
//! a plan with a fault, or `trace replay` a result that comes out otherwise.

fn main() -> std::process::ExitCode {
    companion::start()
}
