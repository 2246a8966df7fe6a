//! Views: props in, callbacks out. No context, no IO.

pub(crate) mod certificate;
pub(crate) mod claimed_text;
pub(crate) mod code;
pub(crate) mod data_table;
pub(crate) mod demo_note;
pub(crate) mod endpoint_dialog;
pub(crate) mod endpoint_form;
pub(crate) mod findings;
pub(crate) mod form;
pub(crate) mod graph_table;
pub(crate) mod graph_view;
pub(crate) mod icon;
pub(crate) mod live_turn;
pub(crate) mod long_text;
pub(crate) mod model_seat;
pub(crate) mod notice;
pub(crate) mod palette;
pub(crate) mod player;
pub(crate) mod plot_view;
pub(crate) mod problem_choice;
pub(crate) mod run_or_stop;
pub(crate) mod schema_form;
pub(crate) mod share_dialog;
pub(crate) mod transcript;
pub(crate) mod verdict;
pub(crate) mod virtual_list;
