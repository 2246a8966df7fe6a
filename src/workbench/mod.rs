//! What pages are built of: the frame with its columns, the stage, the session of a run, and panels
//! that several pages show. Pages know these, and nothing of each other.

pub(crate) mod checked_run;
pub(crate) mod columns;
pub(crate) mod copy;
pub(crate) mod drop_frame;
pub(crate) mod framed;
pub(crate) mod look_inside;
pub(crate) mod names;
pub(crate) mod one_file;
pub(crate) mod played;
pub(crate) mod played_sides;
pub(crate) mod presenting;
pub(crate) mod proposing;
pub(crate) mod recorded;
pub(crate) mod role;
pub(crate) mod run_bar;
pub(crate) mod session;
pub(crate) mod share;
pub(crate) mod stage;
pub(crate) mod waiting;
pub(crate) mod whole;
