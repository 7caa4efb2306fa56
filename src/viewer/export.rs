//! Rows as bytes of a format, a batch at a time. It knows neither where they
//! come from nor where they go.

use std::io::Write;

use rusqlite::types::ValueRef;

use super::values::{Kind, to_json_text, to_text, without_controls};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180 but for its line ends, which are those of this system; NULL is empty.
    Csv,
    /// A JSON object a line, with its columns in the order of the table.
    Ndjson,
}

/// A batch is written out as soon as it is larger.
const BATCH_BYTES: usize = 256 << 10;

#[derive(Debug)]
pub struct Encoder {
    pub format: Format,
    pub columns: Vec<String>,
    pub kinds: Vec<Kind>,
    /// Control characters of an answer must not reach it.
    pub for_terminal: bool,
}

#[derive(Debug)]
pub struct Batch<'a> {
    encoder: &'a Encoder,
    csv: csv::Writer<Vec<u8>>,
    ndjson: Vec<u8>,
    pub rows: u64,
    bytes: usize,
}

impl Encoder {
    pub fn batch(&self) -> Batch<'_> {
        Batch {
            encoder: self,
            csv: csv::Writer::from_writer(Vec::new()),
            ndjson: Vec::new(),
            rows: 0,
            bytes: 0,
        }
    }
}

impl Batch<'_> {
    pub fn header(&mut self) -> std::io::Result<()> {
        match self.encoder.format {
            Format::Csv if !self.encoder.columns.is_empty() => {
                Ok(self.csv.write_record(&self.encoder.columns)?)
            }
            _ => Ok(()),
        }
    }

    /// False where it is full now.
    pub fn row(&mut self, values: &[ValueRef<'_>]) -> std::io::Result<bool> {
        match self.encoder.format {
            Format::Csv => self.csv_row(values)?,
            Format::Ndjson => self.ndjson_row(values)?,
        }
        self.rows += 1;
        Ok(self.bytes < BATCH_BYTES)
    }

    pub fn into_bytes(self) -> std::io::Result<Vec<u8>> {
        match self.encoder.format {
            Format::Csv => self.csv.into_inner().map_err(|error| error.into_error()),
            Format::Ndjson => Ok(self.ndjson),
        }
    }

    fn csv_row(&mut self, values: &[ValueRef<'_>]) -> std::io::Result<()> {
        for value in values {
            let text = to_text(*value);
            self.bytes += text.len();
            if self.encoder.for_terminal {
                self.csv.write_field(text.replace(char::is_control, " "))?;
            } else {
                self.csv.write_field(text.as_bytes())?;
            }
        }
        Ok(self.csv.write_record(None::<&[u8]>)?)
    }

    fn ndjson_row(&mut self, values: &[ValueRef<'_>]) -> std::io::Result<()> {
        let Encoder { columns, kinds, .. } = self.encoder;
        let members = columns.iter().zip(kinds).zip(values);
        let members = members.map(|((name, kind), value)| {
            format!("{}:{}", serde_json::Value::from(name.as_str()), to_json_text(*kind, *value))
        });
        let line = format!("{{{}}}\n", members.collect::<Vec<_>>().join(","));
        self.bytes += line.len();
        self.ndjson.write_all(without_controls(&line).as_bytes())
    }
}
