//! Traversal plans.
