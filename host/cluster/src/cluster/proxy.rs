//! Which proxy is on the way to the API server, if any, and the tunnel through it.
//!
//! Docs: Use an HTTP Proxy to Access the Kubernetes API; Use a SOCKS5 Proxy to Access the Kubernetes API; Go, `golang.org/x/net/http/httpproxy`, for what
//! the variables mean to kubectl. What goes through the tunnel is in `transport.rs`.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

use http::Uri;
use hyper_rustls::MaybeHttpsStream;
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use ipnet::IpNet;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower::{BoxError, ServiceExt as _, service_fn};

use super::Unreachable;

/// A connection to a proxy, or to the API server.
pub(super) type Connection = MaybeHttpsStream<TokioIo<TcpStream>>;

/// How long a proxy may take to connect to the API server.
const TUNNELLING: Duration = Duration::from_secs(10);

/// A proxy that passes connections on.
#[derive(Clone)]
pub(super) struct Proxy {
    /// Its address without credentials, and the credentials.
    found: Intercept,
    /// Whether it speaks SOCKS5, not HTTP.
    socks: bool,
}

impl Proxy {
    /// The proxy at a URL; without a scheme it is an HTTP proxy.
    ///
    /// # Errors
    /// If it is no URL, or jobsmith does not speak to proxies of its kind.
    pub(super) fn at(url: &str) -> Result<Self, Unreachable> {
        let scheme = url.split_once("://").map_or("http", |(scheme, _)| scheme).to_ascii_lowercase();
        let socks = matches!(&*scheme, "socks5" | "socks5h");
        let found = Matcher::builder().all(url.to_owned()).build().intercept(&Uri::from_static("http://any/"));
        match found {
            Some(found) if socks || matches!(&*scheme, "http" | "https") => Ok(Self { found, socks }),
            // The URL is not shown: it may have a password.
            None if socks || matches!(&*scheme, "http" | "https") => Err(Unreachable::Proxy("what it is given is not a URL".to_owned())),
            Some(_) | None => Err(Unreachable::Proxy(format!("its scheme is {scheme}"))),
        }
    }

    /// The proxy that the environment has for a cluster, as kubectl finds it: none for this machine itself, nor for what `NO_PROXY` lists.
    ///
    /// # Errors
    /// If jobsmith does not speak to proxies of its kind.
    pub(super) fn of_environment(cluster: &Uri, variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Unreachable> {
        let first = |names: [&str; 2]| names.into_iter().filter_map(&variable).find(|value| !value.is_empty());
        let url = match cluster.scheme_str() {
            Some("http") => first(["HTTP_PROXY", "http_proxy"]),
            _ => first(["HTTPS_PROXY", "https_proxy"]),
        };
        let exceptions = Exceptions::read(&first(["NO_PROXY", "no_proxy"]).unwrap_or_default());
        // Like kubectl, a value that is not a URL counts as none.
        let url = url.filter(|url| url.parse::<Uri>().is_ok_and(|url| url.host().is_some()));
        url.filter(|_| !exceptions.contain(cluster)).map(|url| Self::at(&url)).transpose()
    }

    /// Where to connect to.
    pub(super) fn address(&self) -> Uri {
        let uri = self.found.uri();
        match uri.host() {
            Some(host) if self.socks => of_port(host, uri.port_u16().unwrap_or(1080)),
            Some(_) | None => uri.clone(),
        }
    }

    /// Opens a tunnel through a connection to this proxy.
    ///
    /// # Errors
    /// What the proxy answers, in words.
    pub(super) async fn tunnel(&self, connection: Connection, to: Uri) -> Result<Connection, BoxError> {
        let mut connection = Some(connection);
        let connected =
            service_fn(move |_| std::future::ready(connection.take().ok_or_else(|| io::Error::other("there is only one connection"))));
        let (proxy, to) = (self.found.uri().clone(), with_port(to));
        let tunnelled = async {
            if self.socks {
                let mut socks = SocksV5::new(proxy, connected);
                if let Some((user, password)) = self.found.raw_auth() {
                    socks = socks.with_auth(user.to_owned(), password.to_owned());
                }
                socks.oneshot(to).await.map_err(|error| error.to_string())
            } else {
                let mut tunnel = Tunnel::new(proxy, connected);
                if let Some(credentials) = self.found.basic_auth() {
                    tunnel = tunnel.with_auth(credentials.clone());
                }
                tunnel.oneshot(to).await.map_err(|error| error.to_string())
            }
        };
        let tunnelled =
            timeout(TUNNELLING, tunnelled).await.unwrap_or_else(|_| Err(format!("no answer within {} s", TUNNELLING.as_secs())));
        tunnelled.map_err(|reason| format!("the proxy did not connect to it: {reason}").into())
    }
}

/// The same with its port: what makes tunnels takes all that has none for HTTPS.
fn with_port(uri: Uri) -> Uri {
    match uri.host() {
        Some(host) if uri.port().is_none() && uri.scheme_str() == Some("http") => of_port(host, 80),
        Some(_) | None => uri,
    }
}

fn of_port(host: &str, port: u16) -> Uri {
    let uri = Uri::builder().scheme("http").authority(format!("{host}:{port}")).path_and_query("/");
    uri.build().expect("a host and a port make an authority")
}

/// The address without credentials.
impl fmt::Display for Proxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.found.uri().to_string().trim_end_matches('/'))
    }
}

/// What is reached without the proxy of the environment.
#[derive(Debug)]
struct Exceptions(Vec<Exception>);

#[derive(Debug)]
enum Exception {
    Everything,
    Network(IpNet),
    Address {
        address: IpAddr,
        port: Option<String>,
    },
    /// The hosts whose names end with this, which begins with a dot, and if `itself` also the one that is named so.
    Domain {
        end: String,
        itself: bool,
        port: Option<String>,
    },
}

impl Exceptions {
    /// Reads `NO_PROXY`; what means nothing is passed over.
    fn read(list: &str) -> Self {
        Self(list.split(',').filter_map(|entry| Exception::read(&entry.trim().to_ascii_lowercase())).collect())
    }

    fn contain(&self, cluster: &Uri) -> bool {
        let host = cluster.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let port = cluster.port_u16().unwrap_or(if cluster.scheme_str() == Some("http") { 80 } else { 443 }).to_string();
        let address = host.parse::<IpAddr>().ok().map(|address| address.to_canonical());
        let own = host == "localhost" || address.is_some_and(|address| address.is_loopback());
        own || self.0.iter().any(|exception| exception.matches(&host, &port, address))
    }
}

impl Exception {
    fn read(entry: &str) -> Option<Self> {
        if entry == "*" {
            return Some(Self::Everything);
        }
        if let Ok(network) = entry.parse() {
            return Some(Self::Network(network));
        }
        // An IPv6 address has colons, too, and a port only after brackets.
        let (host, port) = match entry.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
                (host, Some(port.to_owned()).filter(|port| !port.is_empty()))
            }
            Some(_) | None => (entry, None),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if let Ok(address) = host.parse::<IpAddr>() {
            return Some(Self::Address { address: address.to_canonical(), port });
        }
        let end = host.strip_prefix('*').filter(|end| end.starts_with('.')).unwrap_or(host);
        if end.is_empty() {
            return None;
        }
        let itself = !end.starts_with('.');
        Some(Self::Domain { end: if itself { format!(".{end}") } else { end.to_owned() }, itself, port })
    }

    fn matches(&self, host: &str, port: &str, address: Option<IpAddr>) -> bool {
        let same = |wanted: &Option<String>| wanted.as_ref().is_none_or(|wanted| wanted == port);
        match self {
            Self::Everything => true,
            Self::Network(network) => address.is_some_and(|address| network.contains(&address)),
            Self::Address { address: wanted, port } => address == Some(*wanted) && same(port),
            Self::Domain { end, itself, port } => (host.ends_with(&**end) || *itself && *host == end[1..]) && same(port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a host is reached without a proxy under this `NO_PROXY`.
    fn direct(list: &str, cluster: &str) -> bool {
        Exceptions::read(list).contain(&cluster.parse().unwrap())
    }

    #[test]
    fn no_proxy_is_read_as_go_reads_it() {
        let cases = [
            // An empty list, this machine, and everything.
            ("", "https://example.com", false),
            ("", "https://localhost", true),
            ("", "https://localhost:6443", true),
            ("", "https://LOCALHOST:6443", true),
            ("", "https://127.0.0.1", true),
            ("", "https://127.0.0.2:6443", true),
            ("", "https://[::1]:6443", true),
            ("", "https://localhost.example.com", false),
            ("*", "https://example.com", true),
            ("example.com, *", "https://10.0.0.1", true),
            ("*example.com", "https://api.example.com", false),
            // Domains: with a leading dot or `*.` only what is below them.
            ("foo.com", "https://foo.com", true),
            ("foo.com", "https://bar.foo.com", true),
            ("foo.com", "https://a.bar.foo.com:6443", true),
            ("foo.com", "https://xfoo.com", false),
            ("foo.com", "https://foo.com.x", false),
            (".y.com", "https://x.y.com", true),
            (".y.com", "https://y.com", false),
            ("*.y.com", "https://x.y.com", true),
            ("*.y.com", "https://y.com", false),
            ("FOO.com", "https://Bar.foo.COM", true),
            (" foo.com ,bar.com", "https://foo.com", true),
            ("foo.com,,bar.com,", "https://bar.com", true),
            ("foo.com bar.com", "https://bar.com", false),
            // With a port, which is 443 of a cluster that names none.
            ("foo.com:443", "https://foo.com", true),
            ("foo.com:6443", "https://foo.com", false),
            ("foo.com:6443", "https://bar.foo.com:6443", true),
            (".foo.com:80", "http://bar.foo.com", true),
            ("foo.com:", "https://foo.com:6443", true),
            (":6443", "https://foo.com:6443", false),
            // Addresses and networks match addresses only, and addresses may have a port.
            ("10.0.0.1", "https://10.0.0.1:6443", true),
            ("10.0.0.1", "https://10.0.0.11", false),
            ("10.0.0.1:6443", "https://10.0.0.1:6443", true),
            ("10.0.0.1:6443", "https://10.0.0.1", false),
            ("10.0.0.0/8", "https://10.11.12.13:6443", true),
            ("10.1.2.3/8", "https://10.11.12.13", true),
            ("10.0.0.0/8", "https://11.0.0.1", false),
            ("10.0.0.0/8", "https://10.example.com", false),
            ("::ffff:10.0.0.1", "https://10.0.0.1", true),
            ("fd00::1", "https://[fd00::1]:6443", true),
            ("[fd00::1]", "https://[fd00::1]:6443", true),
            ("[fd00::1]:6443", "https://[fd00::1]:6443", true),
            ("[fd00::1]:443", "https://[fd00::1]:6443", false),
            ("fd00::/8", "https://[fd12::1]", true),
            ("fd00::/8", "https://[fe12::1]", false),
        ];
        for (list, cluster, expected) in cases {
            assert_eq!(direct(list, cluster), expected, "NO_PROXY={list:?} {cluster}");
        }
    }

    /// The proxy that is used for a cluster under these variables.
    fn found(variables: &[(&str, &str)], cluster: &str) -> Option<String> {
        let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Proxy::of_environment(&cluster.parse().unwrap(), variable).unwrap().map(|proxy| proxy.to_string())
    }

    #[test]
    fn the_environment_has_a_proxy_for_each_scheme() {
        let both = [("HTTPS_PROXY", "secure:3128"), ("http_proxy", "http://plain:3128/")];
        assert_eq!(found(&both, "https://example.com"), Some("http://secure:3128".to_owned()));
        assert_eq!(found(&both, "http://example.com"), Some("http://plain:3128".to_owned()));
        let upper_first = [("HTTPS_PROXY", "a:1"), ("https_proxy", "b:1")];
        assert_eq!(found(&upper_first, "https://example.com"), Some("http://a:1".to_owned()));
        let empty_first = [("HTTPS_PROXY", ""), ("https_proxy", "b:1"), ("NO_PROXY", ""), ("no_proxy", "example.org")];
        assert_eq!(found(&empty_first, "https://example.com"), Some("http://b:1".to_owned()));
        for (variables, cluster) in [
            (&empty_first[..], "https://example.org"),
            (&empty_first, "https://127.0.0.1:6443"),
            (&[("ALL_PROXY", "a:1")], "https://example.com"),
            (&[("HTTPS_PROXY", "no url")], "https://example.com"),
            (&[("HTTPS_PROXY", "a:1")], "http://example.com"),
        ] {
            assert_eq!(found(variables, cluster), None, "{variables:?} {cluster}");
        }
    }

    #[test]
    fn a_proxy_has_a_kind_a_port_and_credentials_that_are_not_shown() {
        let proxy = |url: &str| Proxy::at(url).map(|proxy| (proxy.to_string(), proxy.address().to_string()));
        let at = |shown: &str, address: &str| Ok((shown.to_owned(), address.to_owned()));
        for (url, expected) in [
            ("http://me:secret@proxy:3128", at("http://proxy:3128", "http://proxy:3128/")),
            ("proxy", at("http://proxy", "http://proxy/")),
            ("https://proxy/", at("https://proxy", "https://proxy/")),
            ("socks5://me:p%40ss@proxy", at("socks5://proxy", "http://proxy:1080/")),
            ("socks5h://[::1]:9", at("socks5h://[::1]:9", "http://[::1]:9/")),
        ] {
            assert_eq!(proxy(url).map_err(|refused| refused.to_string()), expected, "{url}");
        }
        let refused = |reason: &str| format!("cannot use the proxy: {reason}; write http://, https:// or socks5://, HOST:PORT");
        assert_eq!(proxy("socks4://me:secret@proxy").unwrap_err().to_string(), refused("its scheme is socks4"));
        assert_eq!(proxy("http://me:secret@the proxy").unwrap_err().to_string(), refused("what it is given is not a URL"));
    }
}
