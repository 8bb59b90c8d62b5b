//! Clients that others have written.
