//! The one integration binary: hermetic, without network, without sleeps.

mod boundaries;
