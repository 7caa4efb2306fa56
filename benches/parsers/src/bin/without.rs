//! No parser: what a binary with one is compared with for its size.

fn main() {
    parsers::run(|_, page, _| assert!(!page.is_empty()));
}
