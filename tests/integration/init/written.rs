//! Answers in the shapes of real APIs, page by page, and the document that `init` writes from the first
//! of them: kept beside them as it is to be, checked, and run until every record is stored, once.
//! `HERMES_BLESS=1` writes the documents anew; read them before they are committed.

use crate::util::{Asked, Hermes, Output, Reply, Site, lines};
use std::path::{Path, PathBuf};
use std::{env, fs};

struct Shape {
    name: &'static str,
    /// Path and query, then what else a curl command has; `SITE` is the host and port.
    request: &'static str,
    pages: Pages,
    /// Of every page.
    headers: &'static [(&'static str, &'static str)],
    /// In all pages together.
    records: i64,
}

/// What tells the pages apart: the values of a parameter, the first of which may be absent.
enum Pages {
    One(&'static str),
    By(&'static str, &'static [&'static str]),
    /// With `Link` headers.
    Linked(&'static str, &'static [&'static str]),
}
use Pages::{By, Linked, One};

const fn shape(name: &'static str, request: &'static str, pages: Pages, records: i64) -> Shape {
    Shape { name, request, pages, headers: &[], records }
}

static SHAPES: [Shape; 35] = [
    Shape {
        headers: &[("RateLimit-Policy", "60;w=60, 2000;w=3600"), ("X-RateLimit-Remaining", "59")],
        ..shape(
            "openaq",
            "/v3/locations/8118/latest?limit=2&page=1 -H 'X-API-Key: k3y-of-openaq'",
            By("page", &["1", "2"]),
            3,
        )
    },
    Shape {
        headers: &[("Cache-Control", "public, max-age=60"), ("ETag", "\"x\"")],
        ..shape("usgs", "/earthquakes/feed/v1.0/summary/all_day.geojson", One("json"), 3)
    },
    shape("jsonapi", "/articles?page[size]=2", By("page[number]", &["1", "2"]), 3),
    shape("hal", "/orders", By("page", &["1", "2"]), 3),
    Shape {
        headers: &[("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", "1794789600"), ("ETag", "W/\"x\"")],
        ..shape(
            "github",
            "/repos/rust-lang/rust/issues?per_page=2&state=all",
            Linked("page", &["1", "2", "3"]),
            5,
        )
    },
    shape("odata", "/V4/Catalog/Products?$count=true", By("$skiptoken", &["0", "2"]), 3),
    shape("socrata", "/resource/kzjm-xkqj.json?$limit=2&$order=datetime", By("$offset", &["0", "2", "4"]), 5),
    shape("influx", "/query?db=telegraf&q=SELECT * FROM cpu", One("json"), 3),
    shape("ndjson", "/export/events.ndjson", One("ndjson"), 3),
    shape("csv", "/air/daily.csv", One("csv"), 3),
    shape("open-meteo", "/v1/forecast?latitude=52.52&longitude=13.41&hourly=temperature_2m", One("json"), 1),
    shape("alpha-vantage", "/query?function=TIME_SERIES_DAILY&symbol=SMPL&apikey=demo", One("json"), 3),
    shape("purpleair", "/v1/sensors?fields=name,pm2.5 -H 'X-API-Key: k3y-of-purpleair'", One("json"), 3),
    shape("stripe", "/v1/charges?limit=2 -u sk_test_4eC39H:", By("starting_after", &["", "ch_4", "ch_2"]), 5),
    shape("elasticsearch", "/logs/_search?size=2&from=0", By("from", &["0", "2"]), 3),
    shape(
        "fmp-articles",
        "/stable/fmp-articles?page=0&limit=2&apikey=k3y-of-fmp",
        By("page", &["0", "1"]),
        3,
    ),
    shape("fmp-historical", "/api/v3/historical-price-full/SMPL?apikey=k3y-of-fmp", One("json"), 2),
    shape("hn-algolia", "/api/v1/search_by_date?query=sqlite&hitsPerPage=2", By("page", &["0", "1"]), 3),
    shape(
        "ckan",
        "/api/3/action/datastore_search?resource_id=4a2f&limit=2",
        By("offset", &["0", "2", "4"]),
        3,
    ),
    Shape {
        headers: &[("X-WP-Total", "3"), ("X-WP-TotalPages", "2")],
        ..shape("wordpress", "/wp-json/wp/v2/posts?per_page=2", By("page", &["1", "2"]), 3)
    },
    shape("django", "/api/planets/", By("page", &["1", "2"]), 3),
    shape("air4thai", "/services/getNewAQI_JSON.php", One("json"), 3),
    shape(
        "airnow",
        "/aq/observation/zipCode/current/?format=application/json&zipCode=94101&API_KEY=k3y-of-airnow",
        One("json"),
        3,
    ),
    shape("laqn", "/AirQuality/Data/Site/SiteCode=BG1/Json", One("json"), 3),
    shape("clarity", "/v1/measurements", One("json"), 3),
    shape("nilu", "/aq/utd", One("json"), 3),
    shape(
        "airgradient",
        "/public/api/v1/locations/measures/current?token=k3y-of-airgradient",
        One("json"),
        2,
    ),
    shape(
        "slack",
        "/api/conversations.history?channel=C1&limit=2 -H 'Authorization: Bearer xoxb-k3y'",
        By("cursor", &["", "bmV4dDoz"]),
        3,
    ),
    shape(
        "google",
        "/youtube/v3/videos?part=snippet&maxResults=2&key=k3y-of-google",
        By("pageToken", &["", "CAIQAA"]),
        3,
    ),
    shape("spring", "/api/payments", By("page", &["0", "1"]), 3),
    shape("openweather", "/data/2.5/weather?lat=44.34&lon=10.99&appid=k3y-of-openweather", One("json"), 1),
    shape("coingecko", "/api/v3/simple/price?ids=bitcoin,ethereum,solana&vs_currencies=usd", One("json"), 3),
    shape("rates", "/latest?from=EUR", One("json"), 1),
    shape("stackexchange", "/2.3/questions?page=1&pagesize=2&site=stackoverflow", By("page", &["1", "2"]), 3),
    shape(
        "post-search",
        "/v2/products/search --json '{\"filter\": {\"in_stock\": true}, \"token\": \"k3y-of-shop\"}'",
        One("json"),
        2,
    ),
];

#[test]
fn what_is_written_is_as_kept_and_stores_every_record_once() {
    let wrong: Vec<String> = SHAPES.iter().filter_map(|shape| problem(shape).err()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SHAPES.len(), wrong.join("\n\n"));
}

fn problem(shape: &'static Shape) -> Result<(), String> {
    let because = |what: String| format!("{}: {what}", shape.name);
    let (site, hermes) = (serve(shape), set_variables(Hermes::new()));
    let output = hermes.plain(&["init", &command(shape, &site), "--name", shape.name]);
    if output.code != Some(0) {
        return Err(because(output.to_string()));
    }
    let kept = output.stdout.replace(&site.authority(), "SITE");
    compare(&fixtures().join(format!("{}.yaml", shape.name)), &kept).map_err(because)?;
    if output.stdout.contains("k3y") || output.stderr.contains("k3y") {
        return Err(because("a secret is shown".into()));
    }
    let path = hermes.write_source("source.yaml", &output.stdout);
    let check = hermes.plain(&["check", path.to_str().unwrap()]);
    if check.code != Some(0) {
        return Err(because(check.to_string()));
    }
    stored(shape, &hermes, &hermes.once()).map_err(because)?;
    stored(shape, &hermes, &hermes.command(&["run", shape.name])).map_err(because)
}

/// Every record of every page, also when all of it is fetched again.
fn stored(shape: &Shape, hermes: &Hermes, output: &Output) -> Result<(), String> {
    let job = lines(hermes, "SELECT status, records FROM fetchlogs ORDER BY id DESC LIMIT 1");
    let rows = hermes.count(&shape.name.replace('-', "_"));
    if job == [format!("'completed' {}", shape.records)] && rows == shape.records {
        return Ok(());
    }
    Err(format!("{job:?}, {rows} rows\n{output}"))
}

fn command(shape: &Shape, site: &Site) -> String {
    let (target, more) = shape.request.split_once(" -").unwrap_or((shape.request, ""));
    let more = if more.is_empty() { String::new() } else { format!(" -{more}") };
    format!("curl '{}'{more}", site.url(target))
}

fn set_variables(hermes: Hermes) -> Hermes {
    let names = SHAPES.iter().map(|shape| shape.name.replace('-', "_").to_uppercase());
    let ends = ["KEY", "TOKEN", "PASSWORD"];
    names.fold(hermes, |hermes, name| {
        ends.iter().fold(hermes, |hermes, end| hermes.env(&format!("{name}_{end}"), "k3y"))
    })
}

fn serve(shape: &'static Shape) -> Site {
    let site = Site::new();
    let path = shape.request.split(['?', ' ']).next().unwrap();
    let authority = site.authority();
    site.on_fn(path, move |asked| reply(shape, asked, &authority));
    site
}

fn reply(shape: &Shape, asked: &Asked, authority: &str) -> Reply {
    let (file, number, count) = match &shape.pages {
        One(ending) => (format!("{}.{ending}", shape.name), 0, 1),
        By(param, values) | Linked(param, values) => {
            let value = asked.param(param).unwrap_or(values[0]);
            let Some(number) = values.iter().position(|known| *known == value) else {
                return Reply::json(r#"{"message":"no such page"}"#).status(400);
            };
            (format!("{}-{}.json", shape.name, number + 1), number, values.len())
        }
    };
    let body = fs::read_to_string(fixtures().join(&file)).unwrap_or_else(|why| panic!("{file}: {why}"));
    let body = body.replace("SITE", authority);
    let reply = match file.rsplit('.').next() {
        Some("csv") => Reply::text("text/csv", body),
        Some("ndjson") => Reply::text("application/x-ndjson", body),
        _ => Reply::json(body),
    };
    let reply = shape.headers.iter().fold(reply, |reply, (name, value)| reply.header(name, value));
    match &shape.pages {
        Linked(param, values) if number + 1 < count => {
            let next =
                format!("<http://{authority}{}?{param}={}>; rel=\"next\"", asked.path, values[number + 1]);
            reply.header("Link", &next)
        }
        _ => reply,
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/init/fixtures")
}

fn compare(path: &Path, written: &str) -> Result<(), String> {
    if env::var_os("HERMES_BLESS").is_some() {
        fs::write(path, written).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    if kept == written { Ok(()) } else { Err(format!("--- kept\n{kept}--- written\n{written}")) }
}
