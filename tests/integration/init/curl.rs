//! Requests as people copy them, and what becomes of the secrets in them.
