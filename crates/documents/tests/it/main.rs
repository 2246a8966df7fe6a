//! Files made here, read; hostile ones, refused.

mod bounds;
mod hostile;
mod make;
mod office;
mod pdf;
mod texts;
mod zips;
