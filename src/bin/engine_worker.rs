//! Registers an engine in a Web Worker.

fn main() {}
