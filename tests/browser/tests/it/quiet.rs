//! Tests that measure time run by themselves: a browser beside them would be measured too.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many tests have browsers open, and whether a test measures.
#[derive(Default)]
struct House {
    n_open: usize,
    is_measured: bool,
}

static HOUSE: Mutex<House> = Mutex::new(House { n_open: 0, is_measured: false });
static CHANGED: Condvar = Condvar::new();

thread_local! {
    /// How many guards this test has, which runs on a thread of its own. One that has some gets more
    /// at once, or it would wait for itself.
    static MINE: Cell<usize> = const { Cell::new(0) };
}

fn house() -> MutexGuard<'static, House> {
    HOUSE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Held by each browser.
#[derive(Debug)]
pub(crate) struct Open;

/// Waits until no other test measures.
pub(crate) fn open() -> Open {
    if MINE.get() == 0 {
        let house = CHANGED.wait_while(house(), |house| house.is_measured);
        house.unwrap_or_else(PoisonError::into_inner).n_open += 1;
    }
    MINE.set(MINE.get() + 1);
    Open
}

impl Drop for Open {
    fn drop(&mut self) {
        MINE.set(MINE.get() - 1);
        if MINE.get() == 0 {
            house().n_open -= 1;
            CHANGED.notify_all();
        }
    }
}

/// Held by a test that measures, until after its last page.
#[derive(Debug)]
pub(crate) struct Alone;

/// Waits until no other browser is open, and keeps it so. Comes before the first page of a test.
pub(crate) fn alone() -> Alone {
    let house = CHANGED.wait_while(house(), |house| house.is_measured);
    let mut house = house.unwrap_or_else(PoisonError::into_inner);
    house.is_measured = true;
    drop(CHANGED.wait_while(house, |house| house.n_open > 0));
    MINE.set(MINE.get() + 1);
    Alone
}

impl Drop for Alone {
    fn drop(&mut self) {
        MINE.set(MINE.get() - 1);
        house().is_measured = false;
        CHANGED.notify_all();
    }
}
