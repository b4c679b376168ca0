//! Serves the playground's page: a folder of files, and nothing else.
//!
//! Docs: HTTP Semantics (RFC 9110), "Conditional Requests"; Content Security Policy Level 3. What the files are is in `page.rs`.

use std::io::Read as _;
use std::sync::Arc;

use flate2::read::GzDecoder;
use host_serving::{plain, refused};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri};
use http_body_util::Full;
use hyper::body::Bytes;
use tokio::net::TcpListener;

use super::page::{BuiltPage, File};

/// What the files of the page may do, above all its worker: run WebAssembly, and load each other. The page itself has a policy of its own.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/// Serves the page to all who connect, for as long as the process lives.
pub(super) async fn serve(listener: TcpListener, page: Arc<BuiltPage>) {
    host_serving::serve(listener, move |request| page.answer(request.method(), request.uri(), request.headers())).await;
}

impl BuiltPage {
    fn answer(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response<Full<Bytes>> {
        if let Some(refusal) = refused(method) {
            return refusal;
        }
        let name = if uri.path() == "/" { "index.html" } else { uri.path().trim_start_matches('/') };
        let Some(file) = self.files.get(name) else { return plain(StatusCode::NOT_FOUND, "not found; the page is at /\n") };
        let known = members(headers, &IF_NONE_MATCH).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == file.tag);
        let mut answer = if known { empty(StatusCode::NOT_MODIFIED) } else { content(file, headers) };
        // The names of files in this folder change with what is in them.
        let caching = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = answer.headers_mut();
        let fixed: [(HeaderName, &'static str); 5] = [
            (CONTENT_TYPE, content_type(name)),
            (CACHE_CONTROL, caching),
            (VARY, "accept-encoding"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "no-referrer"),
        ];
        headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
        let framing = format!("frame-ancestors {}", framing(uri));
        let policy = if name == "index.html" { framing } else { format!("{POLICY}; {framing}") };
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).expect("a policy is ASCII"));
        // The tag is weak because it is the same whether the file is compressed or not.
        headers.insert(ETAG, HeaderValue::from_str(&format!("W/{}", file.tag)).expect("a tag is hexadecimal"));
        answer
    }
}

/// Which pages may frame this one: any page for `?embed`, which only shows a session and stores nothing, and otherwise none.
fn framing(uri: &Uri) -> &'static str {
    let embedded = uri.query().is_some_and(|query| query.split('&').any(|part| part.split('=').next() == Some("embed")));
    if embedded { "*" } else { "'none'" }
}

/// What is in the file: compressed for clients that accept it, as all browsers do.
fn content(file: &File, headers: &HeaderMap) -> Response<Full<Bytes>> {
    let mut answer = empty(StatusCode::OK);
    if accepts_gzip(headers) {
        answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        *answer.body_mut() = Full::new(file.gzip.clone());
        return answer;
    }
    let mut plain = Vec::new();
    match GzDecoder::new(&*file.gzip).read_to_end(&mut plain) {
        Ok(_) => *answer.body_mut() = Full::new(plain.into()),
        Err(_) => *answer.status_mut() = StatusCode::INTERNAL_SERVER_ERROR,
    }
    answer
}

/// Whether the client accepts the format of gzip: by its name, or else as one of all.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepts = |coding: &str| {
        members(headers, &ACCEPT_ENCODING).find_map(|member| {
            let (name, parameters) = member.split_once(';').unwrap_or((member, ""));
            name.trim().eq_ignore_ascii_case(coding).then(|| !is_zero_weight(parameters.trim()))
        })
    };
    accepts("gzip").or_else(|| accepts("*")).unwrap_or(false)
}

/// Whether this is the weight of what is not acceptable: `q=0`, `q=0.000`.
fn is_zero_weight(parameter: &str) -> bool {
    let (name, weight) = parameter.split_once('=').unwrap_or((parameter, ""));
    name.trim().eq_ignore_ascii_case("q") && weight.trim().parse::<f32>().is_ok_and(|weight| weight == 0.0)
}

/// The members of a list that is a header's value, in all lines of that header.
fn members<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(',')).map(str::trim)
}

/// The content type of a file by its name: without it browsers refuse scripts and WebAssembly.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use http::header::ALLOW;
    use http_body_util::BodyExt as _;

    use super::super::page::tests::pack;
    use super::*;

    async fn fetch(path: &str, headers: &[(HeaderName, &str)]) -> (u16, HeaderMap, Vec<u8>) {
        let page = BuiltPage::unpack(pack(&[("index.html", "<p>page"), ("assets/a.wasm", "wasm")])).unwrap();
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        let (parts, body) = page.answer(&Method::GET, &path.parse().unwrap(), &headers).into_parts();
        (parts.status.as_u16(), parts.headers, body.collect().await.unwrap().to_bytes().to_vec())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn files_are_served_as_what_they_are() {
        let (status, headers, body) = fetch("/", &[]).await;
        assert_eq!((status, &*body), (200, &b"<p>page"[..]));
        assert_eq!(headers[CONTENT_TYPE], "text/html; charset=utf-8");
        // A second policy would forbid what that of the page allows.
        assert_eq!(headers[CONTENT_SECURITY_POLICY], "frame-ancestors 'none'");
        let (status, headers, body) = fetch("/assets/a.wasm", &[(ACCEPT_ENCODING, "br, gzip")]).await;
        assert_eq!(
            (status, &headers[CONTENT_TYPE], &headers[CONTENT_ENCODING], &body[..2]),
            (200, &"application/wasm".parse().unwrap(), &"gzip".parse().unwrap(), &b"\x1f\x8b"[..])
        );
        assert!(headers[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("script-src 'self' 'wasm-unsafe-eval';"));
        assert_eq!(fetch("/assets/../a", &[]).await.0, 404);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn only_the_embedded_page_is_shown_in_frames() {
        for (path, ancestors) in [("/", "'none'"), ("/?embedded", "'none'"), ("/?embed", "*"), ("/?a=1&embed=", "*")] {
            let policy = fetch(path, &[]).await.1[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
            assert_eq!(policy, format!("frame-ancestors {ancestors}"), "{path}");
        }
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_file_that_is_known_is_not_sent_again() {
        let tag = fetch("/", &[]).await.1[ETAG].to_str().unwrap().to_owned();
        let strong = tag.strip_prefix("W/").unwrap();
        for known in [&*tag, strong, &format!("\"other\", {tag}"), &format!("{strong},W/\"other\""), "*"] {
            let (status, headers, body) = fetch("/", &[(IF_NONE_MATCH, known)]).await;
            assert_eq!((status, headers[ETAG].to_str().unwrap(), body.len()), (304, &*tag, 0), "{known}");
        }
        assert_eq!(fetch("/", &[(IF_NONE_MATCH, "\"other\"")]).await.0, 200);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn files_are_compressed_for_clients_that_accept_it() {
        for (accepted, compressed) in [
            ("gzip", true),
            ("br, GZIP", true),
            ("gzip;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("br, gzip ; Q=0.000", false),
            ("*, gzip;q=0", false),
            ("*;q=0", false),
            ("gzipped", false),
            ("identity", false),
            ("", false),
        ] {
            let (_, headers, _) = fetch("/", &[(ACCEPT_ENCODING, accepted)]).await;
            assert_eq!(headers.contains_key(CONTENT_ENCODING), compressed, "{accepted}");
            assert_eq!(headers[VARY], "accept-encoding", "{accepted}");
        }
    }

    #[test]
    fn nothing_but_reading_is_answered() {
        let page = BuiltPage::unpack(pack(&[("index.html", "")])).unwrap();
        let refusal = page.answer(&Method::POST, &Uri::from_static("/"), &HeaderMap::new());
        assert_eq!((refusal.status().as_u16(), &refusal.headers()[ALLOW]), (405, &HeaderValue::from_static("GET, HEAD")));
    }
}
