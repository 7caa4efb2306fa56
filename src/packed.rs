//! Long texts that are in the binary as build.rs packed them. Keeps out what they say.

use std::io::Read;

use flate2::read::GzDecoder;

pub fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).expect("what build.rs packed");
    text
}
