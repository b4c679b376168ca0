//! What the process itself counts, and metrics as the text that Prometheus reads.
//!
//! Docs: Prometheus, "Exposition formats"; Kubernetes Metrics Reference. What the controllers count comes from the component; they are served in
//! `host/cluster/src/health.rs`.

use std::fmt::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use api::request::{Method, Request};
use contract::metrics::{Family, Histogram, Measure, Sample};

/// The requests that were sent to the API server.
#[derive(Debug, Default)]
pub struct Requests(Mutex<Vec<(RequestLabels, u64)>>);

/// What requests that are counted together have in common.
#[derive(Debug, PartialEq, Eq)]
struct RequestLabels {
    verb: &'static str,
    resource: String,
    /// The status; 0 if there was no answer.
    code: u16,
}

impl Requests {
    /// A request was answered with a status; 0 if it was not.
    pub fn answered(&self, request: &Request, code: u16) {
        let (verb, (resource, _)) = (verb(request), resource(&request.path));
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |(counted, _): &&mut (RequestLabels, u64)| counted.code == code && counted.verb == verb && counted.resource == resource;
        match counts.iter_mut().find(same) {
            Some((_, count)) => *count += 1,
            None => counts.push((RequestLabels { verb, resource, code }, 1)),
        }
    }

    /// What was counted.
    #[must_use]
    pub fn family(&self) -> Family {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut samples: Vec<Sample> = counts
            .iter()
            .map(|(RequestLabels { verb, resource, code }, count)| {
                let code = if *code == 0 { "<error>".to_owned() } else { code.to_string() };
                sample(&[("verb", verb), ("resource", resource), ("code", &code)], *count)
            })
            .collect();
        samples.sort_by(|one, other| one.labels.cmp(&other.labels));
        Family {
            name: "jobsmith_api_requests_total".to_owned(),
            help: "Requests to the API server, by verb, resource and HTTP status".to_owned(),
            samples,
        }
    }
}

/// A family of counters, none of whose labels need more than one name.
#[must_use]
pub fn counters(name: &str, help: &str, label: &str, counts: &[(&str, u64)]) -> Family {
    let samples = counts.iter().map(|(value, count)| sample(&[(label, value)], *count)).collect();
    Family { name: name.to_owned(), help: help.to_owned(), samples }
}

/// A family of one gauge without labels.
#[must_use]
pub fn gauge(name: &str, help: &str, value: i64) -> Family {
    Family { name: name.to_owned(), help: help.to_owned(), samples: vec![Sample { labels: Vec::new(), value: Measure::Gauge(value) }] }
}

fn sample(labels: &[(&str, &str)], count: u64) -> Sample {
    let labels = labels.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    Sample { labels, value: Measure::Counter(count) }
}

/// The verb of a request, as the API server's authorization names it.
fn verb(request: &Request) -> &'static str {
    let query = request.path.split_once('?').map_or("", |(_, query)| query);
    match request.method {
        Method::Get if query.contains("watch=true") => "watch",
        Method::Get if resource(&request.path).1.is_none() => "list",
        Method::Get | Method::Post | Method::Put | Method::Patch | Method::Delete => request.method.verb(),
    }
}

/// The resource that a path names, with its subresource: `jobs/status`; and the name of the object, if it names one.
fn resource(path: &str) -> (String, Option<&str>) {
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let skipped = if path.starts_with("/api/") { 3 } else { 4 };
    let parts: Vec<&str> = path.split('/').skip(skipped).collect();
    let (resource, name, subresource) = match parts[..] {
        ["namespaces", _, resource, ref rest @ ..] | [resource, ref rest @ ..] => (resource, rest.first().copied(), rest.get(1)),
        [] => ("", None, None),
    };
    (subresource.map_or_else(|| resource.to_owned(), |subresource| format!("{resource}/{subresource}")), name)
}

/// Metrics in Prometheus' text format, version 0.0.4.
#[must_use]
pub fn text(families: &[Family]) -> String {
    let mut text = String::new();
    for family in families {
        render(&mut text, family).expect("a string takes all that is written");
    }
    text
}

fn render(text: &mut String, Family { name, help, samples }: &Family) -> fmt::Result {
    let Some(first) = samples.first() else { return Ok(()) };
    let kind = match first.value {
        Measure::Counter(_) => "counter",
        Measure::Gauge(_) => "gauge",
        Measure::Histogram(_) => "histogram",
    };
    let help = help.replace('\\', r"\\").replace('\n', r"\n");
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
    for Sample { labels, value } in samples {
        match value {
            Measure::Counter(count) => writeln!(text, "{name}{} {count}", MetricLabels(labels, None))?,
            Measure::Gauge(value) => writeln!(text, "{name}{} {value}", MetricLabels(labels, None))?,
            Measure::Histogram(Histogram { buckets, sum, count }) => {
                for (bound, count) in buckets {
                    writeln!(text, "{name}_bucket{} {count}", MetricLabels(labels, Some(&bound.to_string())))?;
                }
                writeln!(text, "{name}_bucket{} {count}", MetricLabels(labels, Some("+Inf")))?;
                writeln!(text, "{name}_sum{labels} {sum}\n{name}_count{labels} {count}", labels = MetricLabels(labels, None))?;
            }
        }
    }
    Ok(())
}

/// Labels, and the upper bound of a histogram's range.
struct MetricLabels<'a>(&'a [(String, String)], Option<&'a str>);

impl fmt::Display for MetricLabels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = self.1.map(|bound| ("le", bound));
        let labels = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(bound);
        let mut separator = '{';
        for (name, value) in labels {
            let value = value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
            write!(f, "{separator}{name}=\"{value}\"")?;
            separator = ',';
        }
        if separator == ',' { f.write_str("}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use api::Kind;
    use expect_test::expect;

    use super::*;

    #[test]
    fn prometheus_can_read_it() {
        let labels = vec![("completion_mode".to_owned(), "Indexed".to_owned()), ("a".to_owned(), "\"\\\n".to_owned())];
        let histogram = Measure::Histogram(Histogram { buckets: vec![(0.004, 1), (0.008, 2)], sum: 1.5, count: 3 });
        let families = [
            Family { name: "t_seconds".into(), help: "How\nlong".into(), samples: vec![Sample { labels, value: histogram }] },
            gauge("leader", "Whether", 1),
            counters("n_total", "None", "x", &[]),
        ];
        expect![[r#"
            # HELP t_seconds How\nlong
            # TYPE t_seconds histogram
            t_seconds_bucket{completion_mode="Indexed",a="\"\\\n",le="0.004"} 1
            t_seconds_bucket{completion_mode="Indexed",a="\"\\\n",le="0.008"} 2
            t_seconds_bucket{completion_mode="Indexed",a="\"\\\n",le="+Inf"} 3
            t_seconds_sum{completion_mode="Indexed",a="\"\\\n"} 1.5
            t_seconds_count{completion_mode="Indexed",a="\"\\\n"} 3
            # HELP leader Whether
            # TYPE leader gauge
            leader 1
        "#]]
        .assert_eq(&text(&families));
    }

    #[test]
    fn requests_are_counted_by_verb_resource_and_status() {
        let requests = Requests::default();
        requests.answered(&Request::get("/api/v1/pods?watch=true".to_owned()), 200);
        requests.answered(&Request::get("/apis/batch/v1/jobs?limit=500".to_owned()), 0);
        requests.answered(&Request::read(Kind::Job, "default", "pi"), 404);
        for _ in 0..2 {
            requests.answered(
                &Request::write_status(
                    Kind::Job,
                    &api::ObjectMeta { namespace: "default".into(), name: "pi".into(), ..Default::default() },
                    &(),
                ),
                200,
            );
        }
        requests.answered(&Request::create(Kind::Pod, "default", "{}".to_owned()), 201);
        expect![[r#"
            # HELP jobsmith_api_requests_total Requests to the API server, by verb, resource and HTTP status
            # TYPE jobsmith_api_requests_total counter
            jobsmith_api_requests_total{verb="create",resource="pods",code="201"} 1
            jobsmith_api_requests_total{verb="get",resource="jobs",code="404"} 1
            jobsmith_api_requests_total{verb="list",resource="jobs",code="<error>"} 1
            jobsmith_api_requests_total{verb="update",resource="jobs/status",code="200"} 2
            jobsmith_api_requests_total{verb="watch",resource="pods",code="200"} 1
        "#]]
        .assert_eq(&text(&[requests.family()]));
    }
}
