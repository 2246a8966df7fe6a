#![doc = include_str!("../README.md")]
// An allocator hands out memory by address: that it does so rightly is what `heaps::tests` tries.
#![allow(unsafe_code)]

#[cfg(any(test, all(target_arch = "wasm32", target_feature = "atomics")))]
mod heaps;

#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
#[global_allocator]
static HEAPS: heaps::Heaps = heaps::Heaps::new();
