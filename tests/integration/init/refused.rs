//! Where no document can be written: what is said, and with which exit code.
