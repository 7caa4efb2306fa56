//! Writes a corpus of article-shaped records: nested objects, lists, nulls,
//! letters of many scripts, escapes. The same arguments give the same bytes.
//!
//!   corpus DIR KEY=VALUE…
//!
//! | key | values | default |
//! | --- | --- | --- |
//! | pages, per | pages, and records on each | 1000, 100 |
//! | ids | uuid (random), text and integer (in order) | uuid |
//! | order | oldest, newest: which comes first | oldest |
//! | format | json, ndjson, csv | json |
//! | size | full (about 600 bytes a record), small (about 250) | full |
//! | bytes | ends the page before it is larger than this | none |
//!
//! Record N is the same in every order and format. Pages are the files `1`,
//! `2`, …; `empty` is what comes after the last.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Serialize;

const SEED: u64 = 20_260_101;

const WORDS: [&str; 40] = [
    "river",
    "valley",
    "harbour",
    "bridge",
    "council",
    "budget",
    "station",
    "sensor",
    "ozone",
    "dust",
    "reading",
    "average",
    "forecast",
    "storm",
    "pressure",
    "humidity",
    "orchard",
    "wheat",
    "shipment",
    "railway",
    "timetable",
    "engine",
    "battery",
    "voltage",
    "copper",
    "quarter",
    "profit",
    "margin",
    "court",
    "appeal",
    "clinic",
    "vaccine",
    "survey",
    "orbit",
    "probe",
    "glacier",
    "reef",
    "census",
    "library",
    "archive",
];
const FOREIGN: [&str; 12] = [
    "Düsseldorf",
    "Łódź",
    "Ångström",
    "Español",
    "Ελλάδα",
    "Україна",
    "大阪",
    "서울",
    "กรุงเทพ",
    "12 µg/m³",
    "«citation»",
    "🌧️",
];
const GIVEN: [&str; 8] = ["Ada", "Zoë", "Jürgen", "María", "Søren", "Yuki", "Olek", "Aïcha"];
const FAMILY: [&str; 8] = ["Weiß", "O'Neill", "Núñez", "Novák", "Sato", "Brown", "Øverland", "Demir"];
const TICKERS: [&str; 8] = ["ACME", "GLOBX", "INIT.L", "UMBR.DE", "9999.T", "XYZ-USD", "^IDX", "FX=X"];

#[derive(Serialize)]
struct Article {
    id: Id,
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    date: String,
    author: Author,
    tickers: Vec<&'static str>,
    content: String,
    url: String,
    sentiment: Option<f64>,
    measurement: Measurement,
    image: Option<String>,
    views: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Integer(u64),
}

#[derive(Serialize)]
struct Author {
    id: u64,
    name: String,
    verified: bool,
}

#[derive(Serialize)]
struct Measurement {
    pm25: Option<f64>,
    unit: &'static str,
    loc: [f64; 2],
}

/// SplitMix64: small, and begun anew for each record.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A number with so many decimals.
    fn real(&mut self, from: f64, to: f64, decimals: i32) -> f64 {
        let scale = 10_f64.powi(decimals);
        let share = self.below(1 << 32) as f64 / (1_u64 << 32) as f64;
        ((from + (to - from) * share) * scale).round() / scale
    }

    fn prose(&mut self, least: u64, most: u64) -> String {
        let words: Vec<String> = (0..least + self.below(most - least + 1)).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn word(&mut self) -> String {
        let word = self.pick(&WORDS);
        match self.below(200) {
            0..12 => self.pick(&FOREIGN).to_owned(),
            12..16 => format!("\"{word}\""),
            16 => format!("D:\\{word}\\new"),
            17..19 => "\n".to_owned(),
            _ => word.to_owned(),
        }
    }
}

struct Options(HashMap<String, String>);

impl Options {
    fn text(&self, key: &str, default: &'static str) -> &str {
        self.0.get(key).map_or(default, String::as_str)
    }

    fn number(&self, key: &str, default: u64) -> u64 {
        self.0.get(key).map_or(default, |text| text.parse().expect("a number"))
    }
}

fn article(number: u64, options: &Options) -> Article {
    let mut dice = Dice(SEED.wrapping_add(number.wrapping_mul(0xd134_2543_de82_ef95)));
    let dice = &mut dice;
    let (high, low) = (dice.roll(), dice.roll());
    let id = match options.text("ids", "uuid") {
        "integer" => Id::Integer(1_000_000 + number),
        "text" => Id::Text(format!("art-{number:010}")),
        _ => Id::Text(format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | (low >> 50),
            low & 0xffff_ffff_ffff
        )),
    };
    let small = options.text("size", "full") == "small";
    let date = date(number * 37_000 + dice.below(37_000));
    let name = match &id {
        Id::Text(text) => text.clone(),
        Id::Integer(number) => number.to_string(),
    };
    let skipped = dice.below(TICKERS.len() as u64) as usize;
    Article {
        title: dice.prose(6, if small { 7 } else { 11 }),
        author: Author {
            id: 1 + dice.below(5_000),
            name: format!("{} {}", dice.pick(&GIVEN), dice.pick(&FAMILY)),
            verified: dice.below(3) == 0,
        },
        tickers: TICKERS.iter().copied().skip(skipped).take(dice.below(5) as usize).collect(),
        content: if small { dice.pick(&WORDS).to_owned() } else { dice.prose(12, 24) },
        url: format!("https://news.example.org/{}/{name}", &date[..7].replace('-', "/")),
        sentiment: (dice.below(8) > 0).then(|| dice.real(-1.0, 1.0, 4)),
        measurement: Measurement {
            pm25: (dice.below(5) > 0).then(|| dice.real(0.0, 180.0, 1)),
            unit: "µg/m³",
            loc: [dice.real(-90.0, 90.0, 5), dice.real(-180.0, 180.0, 5)],
        },
        image: (dice.below(2) > 0).then(|| format!("https://img.example.org/{:x}.jpg", dice.below(1 << 40))),
        views: dice.below(2_000_000),
        kind: "article",
        id,
        date,
    }
}

/// So many milliseconds after the beginning of 2024, in ISO 8601.
fn date(milliseconds: u64) -> String {
    let (mut days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000);
    let mut year = 2024;
    let is_leap = |year: u64| year.is_multiple_of(4);
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let (month, day, seconds) = (month + 1, days + 1, rest / 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
}

/// A record as it stands in its page, with what parts it from the next.
fn line(article: &Article, format: &str) -> String {
    match format {
        "csv" => {
            let Article { id, title, date, author, tickers, content, url, sentiment, .. } = article;
            let id = json(id).trim_matches('"').to_owned();
            let sentiment = sentiment.map(|number| number.to_string()).unwrap_or_default();
            let mut line = String::new();
            for cell in [&id, title, date, &author.name, &json(tickers), content, url, &sentiment] {
                let _ = write!(line, "\"{}\",", cell.replace('"', "\"\""));
            }
            line.pop();
            line.push('\n');
            line
        }
        "ndjson" => json(article) + "\n",
        _ => json(article) + ",",
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data")
}

const CSV_HEAD: &str = "id,title,date,author,tickers,content,url,sentiment\n";

fn page(lines: &str, format: &str) -> String {
    match format {
        "csv" => format!("{CSV_HEAD}{lines}"),
        "ndjson" => lines.to_owned(),
        _ => format!("{{\"data\":[{}]}}", lines.trim_end_matches(',')),
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let dir = args.next().expect("corpus DIR KEY=VALUE…");
    let pair = |text: String| {
        let (key, value) = text.split_once('=').expect("KEY=VALUE");
        (key.to_owned(), value.to_owned())
    };
    let options = Options(args.map(pair).collect());
    let (pages, per) = (options.number("pages", 1_000), options.number("per", 100));
    let (format, bytes) = (options.text("format", "json"), options.number("bytes", u64::MAX));
    let newest_first = options.text("order", "oldest") == "newest";
    let dir = Path::new(&dir);
    fs::create_dir_all(dir).expect("the folder");
    let mut records = 0;
    for number in 1..=pages {
        let mut lines = String::new();
        for _ in 0..per {
            let at = if newest_first { pages * per - 1 - records } else { records };
            let line = line(&article(at, &options), format);
            if (lines.len() + line.len() + CSV_HEAD.len()) as u64 > bytes {
                break;
            }
            lines.push_str(&line);
            records += 1;
        }
        fs::write(dir.join(number.to_string()), page(&lines, format)).expect("a page");
    }
    fs::write(dir.join("empty"), page("", format)).expect("the empty page");
    println!("{records}");
}
