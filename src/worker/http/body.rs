//! Reads an answer's body into a buffer that is used again and again, never
//! beyond a limit. Keeps out what the bytes mean.

use std::io::{self, Read};

/// What a read may take beyond what has come: a length that the site promises is
/// not to be believed, and most pages are not larger.
const STEP: usize = 64 * 1024;

#[derive(Debug)]
pub(super) enum Broken {
    TooLarge,
    Read(io::Error),
}

/// Reads over the page before: only what is longer than that has to be made first.
/// On an error, what is in the buffer is no answer.
pub(super) fn read(mut from: impl Read, max: u64, into: &mut Vec<u8>) -> Result<(), Broken> {
    let most = usize::try_from(max).unwrap_or(usize::MAX).saturating_add(1);
    into.truncate(most);
    let mut filled = 0;
    loop {
        if filled == most {
            return Err(Broken::TooLarge);
        }
        if filled == into.len() {
            grow(into, most);
        }
        match from.read(&mut into[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Broken::Read(error)),
        }
    }
    into.truncate(filled);
    Ok(())
}

/// The room by doubling, but never past `most`: left to itself a vector could take
/// twice that. What is in use by steps: memory that nothing was written to is not there yet.
fn grow(into: &mut Vec<u8>, most: usize) {
    if into.len() == into.capacity() {
        let room = into.capacity().saturating_mul(2).max(STEP).min(most);
        into.reserve_exact(room - into.len());
    }
    into.resize(into.capacity().min(into.len() + STEP).min(most), 0);
}

/// As people write it in the document.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0 => "0 bytes".to_owned(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_up_to_the_limit_is_read_and_one_byte_more_is_not() {
        for max in [0, 1, 65_535, 65_536, 65_537, 200_000] {
            let mut into = vec![7; 10];
            read(io::repeat(1).take(max), max, &mut into).expect("within the limit");
            assert_eq!(into, vec![1; max as usize]);
            assert!(matches!(read(io::repeat(1).take(max + 1), max, &mut into), Err(Broken::TooLarge)));
        }
    }

    #[test]
    fn an_endless_body_takes_no_more_memory_than_the_limit() {
        let mut into = Vec::new();
        assert!(matches!(read(io::repeat(0), 1_000_000, &mut into), Err(Broken::TooLarge)));
        assert!(into.capacity() <= 1_000_001, "{}", into.capacity());
    }

    #[test]
    fn a_size_is_written_as_in_the_document() {
        for (bytes, want) in
            [(16 << 20, "16 MiB"), (64 << 10, "64 KiB"), (1000, "1000 bytes"), (0, "0 bytes")]
        {
            assert_eq!(size(bytes), want);
        }
    }
}
