//! Reads an answer's body into a buffer that is used again and again, never
//! beyond a limit. Keeps out what the bytes mean.

use std::io::{self, Read};

/// What a first read may take: a length that the site promises is not to be
/// believed, and most pages are not larger.
const FIRST: usize = 64 * 1024;

#[derive(Debug)]
pub(super) enum Broken {
    TooLarge,
    Read(io::Error),
}

/// Grows by doubling, but never past `max` bytes and the one that is too many:
/// left to itself a vector could take twice that.
pub(super) fn read(mut from: impl Read, max: u64, into: &mut Vec<u8>) -> Result<(), Broken> {
    into.clear();
    let most = usize::try_from(max).unwrap_or(usize::MAX).saturating_add(1);
    while into.len() < most {
        let room = into.capacity().max(FIRST).min(most);
        let wanted = if into.len() < room { room } else { room.saturating_mul(2).min(most) };
        into.reserve_exact(wanted - into.len());
        let free = (wanted - into.len()) as u64;
        let count = from.by_ref().take(free).read_to_end(into).map_err(Broken::Read)?;
        if (count as u64) < free {
            return Ok(());
        }
    }
    Err(Broken::TooLarge)
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
