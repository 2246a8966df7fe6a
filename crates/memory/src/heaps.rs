//! A heap for each thread.
//!
//! Each heap has a lock of its own and pages of its own. A thread allocates from its heap; what it
//! frees goes back to the heap that the page belongs to, whichever thread that is. So any choice of
//! heaps is right, and a good one only keeps threads from waiting for one another.

use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU8, Ordering};

use spinning_top::RawSpinlock;
use talc::base::Talc;
use talc::base::binning::Binning;
use talc::source::Source;
use talc::sync::TalcLock;
use talc::wasm::WasmBinning;

/// More than there are threads, so that hardly two of them share a heap.
const N_HEAPS: usize = 16;
/// Bytes of a page: the unit in which a module's memory grows.
const PAGE: usize = 1 << 16;
/// Pages of the largest memory there is, 4 GB.
const MAX_PAGES: usize = 1 << 16;
/// Pages that a heap takes at least when it grows: to grow is a call into the browser.
const LEAST_PAGES: usize = 16;
/// A thread's stack has 2 MB (wasm-bindgen's), so no two threads agree in the address of a local
/// variable divided by this.
const STACK: usize = 2 << 20;

/// The heap that each page belongs to.
static OWNERS: [AtomicU8; MAX_PAGES] = [const { AtomicU8::new(0) }; MAX_PAGES];

/// A heap, in lines of a processor's cache of its own: two in one line would slow each other down as
/// much as one lock does.
#[repr(align(128))]
struct Heap(TalcLock<RawSpinlock, Pages, WasmBinning>);

impl Heap {
    const fn new(heap: u8) -> Self {
        Self(TalcLock::new(Pages { heap, end: None }))
    }
}

/// Where a heap gets its pages.
#[derive(Debug)]
struct Pages {
    /// The heap's number.
    heap: u8,
    /// The end of the pages that it got last.
    end: Option<NonNull<u8>>,
}

// SAFETY: the address is read under the heap's lock alone.
unsafe impl Send for Pages {}

// SAFETY: it takes pages from the module's memory and allocates nothing.
unsafe impl Source for Pages {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        // Two pages cover what the heap writes around a piece; more alignment than a page has may
        // leave that much unused in front of it.
        let room = layout.size().checked_add(layout.align()).ok_or(())?;
        let n = (room.div_ceil(PAGE) + 2).max(LEAST_PAGES);
        let base = memory::grow(n).ok_or(())?;
        let first = memory::number(base.as_ptr());
        for owner in &OWNERS[first..first + n] {
            owner.store(talc.source.heap, Ordering::Relaxed);
        }
        let end = base.as_ptr().wrapping_add(n * PAGE);
        talc.source.end = match talc.source.end {
            // SAFETY: these pages are new, nobody else has them, and they go on where the last
            // ones end.
            Some(last) if last == base => Some(unsafe { talc.extend(last, end) }),
            // SAFETY: these pages are new, and nobody else has them.
            _ => Some(unsafe { talc.claim(base.as_ptr(), n * PAGE) }.ok_or(())?),
        };
        Ok(())
    }
}

/// A global allocator with a heap for each thread.
pub struct Heaps([Heap; N_HEAPS]);

impl Heaps {
    /// Heaps that have no pages yet.
    pub const fn new() -> Self {
        let mut heaps = [const { Heap::new(0) }; N_HEAPS];
        let mut i = 1;
        while i < N_HEAPS {
            heaps[i] = Heap::new(i as u8);
            i += 1;
        }
        Self(heaps)
    }

    /// The heap that something was allocated from.
    fn of(&self, ptr: *mut u8) -> &Heap {
        // Whoever got the address from another thread got this with it.
        &self.0[usize::from(OWNERS[memory::number(ptr)].load(Ordering::Relaxed))]
    }
}

/// The number of the heap of this thread. A thread is known by where its stack is: it allocates
/// before its thread-local variables are there.
fn mine() -> usize {
    let local = 0_u8;
    (black_box(&raw const local).addr() / STACK) % N_HEAPS
}

// SAFETY: each piece is allocated by one heap and given back to the same one; heaps have no page in
// common.
unsafe impl GlobalAlloc for Heaps {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let mine = mine();
        for i in 0..N_HEAPS {
            // SAFETY: the caller's promise.
            let ptr = unsafe { self.0[(mine + i) % N_HEAPS].0.alloc(layout) };
            if !ptr.is_null() {
                return ptr;
            }
            // The memory is full; another heap may have room.
        }
        null_mut()
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, and the piece is this heap's.
        unsafe { self.of(ptr).0.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise, and the piece is this heap's.
        unsafe { self.of(ptr).0.realloc(ptr, layout, new_size) }
    }
}

/// The module's memory.
#[cfg(not(test))]
mod memory {
    use std::arch::wasm32::memory_grow;
    use std::ptr::NonNull;

    use super::PAGE;

    /// So many new pages; nothing where the memory has its largest size.
    pub fn grow(n: usize) -> Option<NonNull<u8>> {
        let before = memory_grow(0, n);
        if before == usize::MAX { None } else { NonNull::new((before * PAGE) as *mut u8) }
    }

    /// The number of the page that an address lies in.
    pub fn number(ptr: *mut u8) -> usize {
        ptr.addr() / PAGE
    }
}

/// A memory for tests: addresses that the system gives, of which only those in use cost anything.
#[cfg(test)]
mod memory {
    use std::alloc::{GlobalAlloc as _, Layout, System};
    use std::ptr::NonNull;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::PAGE;

    const SIZE: usize = 1 << 30;

    static BASE: OnceLock<usize> = OnceLock::new();
    static USED: AtomicUsize = AtomicUsize::new(0);

    fn base() -> *mut u8 {
        let reserve = || {
            let layout = Layout::from_size_align(SIZE, PAGE).expect("a layout");
            // SAFETY: the layout is not empty.
            unsafe { System.alloc_zeroed(layout) }.expose_provenance()
        };
        std::ptr::with_exposed_provenance_mut(*BASE.get_or_init(reserve))
    }

    pub fn grow(n: usize) -> Option<NonNull<u8>> {
        let before = USED.fetch_add(n * PAGE, Ordering::Relaxed);
        let is_room = before + n * PAGE <= SIZE;
        if !is_room {
            USED.fetch_sub(n * PAGE, Ordering::Relaxed);
        }
        NonNull::new(base().wrapping_add(before)).filter(|_| is_room)
    }

    pub fn number(ptr: *mut u8) -> usize {
        (ptr.addr() - base().addr()) / PAGE
    }

    /// Bytes that all heaps have got so far.
    pub fn used() -> usize {
        USED.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::{GlobalAlloc as _, Layout};
    use std::sync::{Mutex, mpsc};
    use std::thread;

    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::{Heaps, memory, mine};

    static HEAPS: Heaps = Heaps::new();
    /// One memory, one test at a time.
    static TURN: Mutex<()> = Mutex::new(());

    /// A piece, and the byte that it is full of.
    struct Piece {
        ptr: *mut u8,
        layout: Layout,
        full_of: u8,
    }

    // SAFETY: whoever has the piece is the only one who uses its bytes.
    unsafe impl Send for Piece {}

    impl Piece {
        fn new(rng: &mut ChaCha8Rng) -> Self {
            // Mostly small, at times large.
            let most = [64, 64, 64, 4096, 300_000][rng.random_range(0..5)];
            let align = 1 << rng.random_range(0..8);
            let layout = Layout::from_size_align(rng.random_range(1..most), align).expect("one");
            // SAFETY: the layout is not empty.
            let ptr = unsafe { HEAPS.alloc(layout) };
            assert!(!ptr.is_null() && ptr.addr() % align == 0, "{layout:?} at {ptr:?}");
            let piece = Self { ptr, layout, full_of: rng.random() };
            piece.fill(0);
            piece
        }

        fn fill(&self, from: usize) {
            let more = self.layout.size().saturating_sub(from);
            // SAFETY: the piece is as long.
            unsafe { self.ptr.add(from.min(self.layout.size())).write_bytes(self.full_of, more) };
        }

        /// Whoever else was given one of these bytes has written another.
        fn check(&self, n: usize) {
            // SAFETY: the piece is as long.
            let bytes = unsafe { std::slice::from_raw_parts(self.ptr, n) };
            // The first is right and each equals the next: one comparison of memory, not one for each byte.
            let is_full = match bytes {
                [] => true,
                [first, rest @ ..] => *first == self.full_of && *rest == bytes[..rest.len()],
            };
            assert!(is_full, "a byte of {n} is not {}", self.full_of);
        }

        fn resize(&mut self, rng: &mut ChaCha8Rng) {
            let (old, new) = (self.layout.size(), rng.random_range(1..2 * self.layout.size() + 8));
            // SAFETY: it was allocated with that layout.
            self.ptr = unsafe { HEAPS.realloc(self.ptr, self.layout, new) };
            assert!(!self.ptr.is_null());
            self.layout = Layout::from_size_align(new, self.layout.align()).expect("one");
            self.check(old.min(new));
            self.fill(old);
        }

        fn free(self) {
            self.check(self.layout.size());
            // SAFETY: it was allocated with that layout, and nobody has it any more.
            unsafe { HEAPS.dealloc(self.ptr, self.layout) };
        }
    }

    /// Threads that allocate, resize, pass pieces on to each other and free what they were passed.
    fn work(seed: u64) {
        let (to, from): (Vec<_>, Vec<_>) = (0..6).map(|_| mpsc::channel::<Piece>()).unzip();
        thread::scope(|scope| {
            for (i, inbox) in from.into_iter().enumerate() {
                let next = to[(i + 1) % to.len()].clone();
                scope.spawn(move || {
                    let mut rng = ChaCha8Rng::seed_from_u64(seed + i as u64);
                    let mut mine: Vec<Piece> = Vec::new();
                    for _ in 0..3_000 {
                        match rng.random_range(0..8) {
                            0..3 => mine.push(Piece::new(&mut rng)),
                            3 if !mine.is_empty() => {
                                let at = rng.random_range(0..mine.len());
                                mine[at].resize(&mut rng);
                            }
                            4 if !mine.is_empty() => {
                                let at = rng.random_range(0..mine.len());
                                let _ = next.send(mine.swap_remove(at));
                            }
                            5 => inbox.try_iter().take(3).for_each(Piece::free),
                            _ if !mine.is_empty() => {
                                let at = rng.random_range(0..mine.len());
                                mine.swap_remove(at).free();
                            }
                            _ => {}
                        }
                    }
                    drop(next);
                    mine.into_iter().for_each(Piece::free);
                    inbox.iter().for_each(Piece::free);
                });
            }
            drop(to);
        });
    }

    #[test]
    fn no_two_pieces_overlap_and_what_is_freed_is_used_again() {
        let _turn = TURN.lock();
        work(1);
        work(1);
        let after_two = memory::used();
        for _ in 0..10 {
            work(1);
        }
        // Which thread runs when differs, and so does what is held at once.
        assert!(memory::used() < 2 * after_two, "{} after {after_two}", memory::used());
    }

    #[test]
    fn what_is_too_large_is_refused_and_the_rest_goes_on() {
        let _turn = TURN.lock();
        for size in [2 << 30, isize::MAX as usize - 4096] {
            let layout = Layout::from_size_align(size, 8).expect("one");
            // SAFETY: the layout is not empty.
            assert!(unsafe { HEAPS.alloc(layout) }.is_null());
        }
        Piece::new(&mut ChaCha8Rng::seed_from_u64(7)).free();
    }

    #[test]
    fn threads_have_heaps_of_their_own() {
        let used: Vec<usize> = thread::scope(|scope| {
            let all: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        // All four are there at once, so no stack is used again.
                        thread::sleep(std::time::Duration::from_millis(50));
                        mine()
                    })
                })
                .collect();
            all.into_iter().map(|one| one.join().expect("a heap")).collect()
        });
        let mut different = used.clone();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() >= 3, "{used:?}");
    }
}
