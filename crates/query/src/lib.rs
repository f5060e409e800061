//! The one door to data.
