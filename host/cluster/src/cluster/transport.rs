//! HTTP to the API server: connections that are kept, with the TLS and the credentials that the configuration names.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; Controlling Access to the Kubernetes API, "Transport security". What is sent is in `send.rs`.
//!
//! kube's own client passes each request through a queue, a span and timers that nothing here needs: an eighth of what a controller of many small
//! requests costs.

use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response, Uri};
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Bytes, Incoming};
use hyper_rustls::{DefaultServerNameResolver, FixedServerNameResolver, HttpsConnector, MaybeHttpsStream, ResolveServerName};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kube::Config;
use kube::client::{Body, ConfigExt as _};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service as _, ServiceBuilder, ServiceExt as _, service_fn};

use super::credentials::{self, CredentialError};
use super::proxy::{Connection, Proxy};

/// How long a connection may be silent until the other end is asked whether it still is there; then three times more, each after the interval.
const KEEPALIVE: Duration = Duration::from_secs(15);
/// How long an answer to that is waited for.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// The body of an answer that is read while it comes.
pub(super) type BodyStream = UnsyncBoxBody<Bytes, hyper::Error>;

/// What sends requests; their paths are below the cluster's address.
#[derive(Clone)]
pub(super) struct Transport(BoxCloneSyncService<Request<Body>, Response<Incoming>, BoxError>);

impl Transport {
    /// Prepares to speak to the cluster of a configuration, through a proxy if there is one; nothing is sent yet, but a credential plugin is run.
    ///
    /// # Errors
    /// If the credentials or certificates in it cannot be used.
    pub(super) fn new(config: &Config, proxy: Option<Proxy>) -> Result<Self, CredentialError> {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_connect_timeout(config.connect_timeout);
        // A watch through a network that has gone would be silent for minutes.
        connector.set_keepalive(Some(KEEPALIVE));
        connector.set_keepalive_interval(Some(KEEPALIVE_INTERVAL));
        connector.set_keepalive_retries(Some(3));
        let authorization = config.auth_layer()?;
        let tls = Arc::new(credentials::tls(config, authorization.is_some())?);
        let names = server_names(config)?;
        let connector = HttpsConnector::new(dial(connector, proxy, &tls, &names), tls, false, names);
        let service = ServiceBuilder::new()
            .layer(config.base_uri_layer())
            .option_layer(authorization)
            .layer(config.extra_headers_layer()?)
            .map_err(BoxError::from)
            .service(Client::builder(TokioExecutor::new()).build(connector));
        Ok(Self(BoxCloneSyncService::new(service)))
    }

    /// Sends a request; returns as soon as the head of the response has arrived.
    pub(super) async fn send(&self, request: Request<Body>) -> Result<Response<Incoming>, BoxError> {
        self.0.clone().oneshot(request).await
    }

    /// A client for objects with types, over the same connections.
    pub(super) fn client(&self, default_namespace: &str) -> kube::Client {
        kube::Client::new(self.0.clone(), default_namespace)
    }
}

type ServerNames = Arc<dyn ResolveServerName + Send + Sync>;

/// What the server's certificate has to be for: the host, or the name that the configuration has for it.
fn server_names(config: &Config) -> Result<ServerNames, CredentialError> {
    let Some(name) = &config.tls_server_name else { return Ok(Arc::new(DefaultServerNameResolver::default())) };
    let name = ServerName::try_from(name.clone()).map_err(|error| CredentialError::Unusable(format!("tls-server-name {name}: {error}")))?;
    Ok(Arc::new(FixedServerNameResolver::new(name)))
}

/// What connects to the API server, without TLS. To a proxy, TLS is as to the API server: so does kubectl.
fn dial(
    direct: HttpConnector,
    proxy: Option<Proxy>,
    tls: &Arc<ClientConfig>,
    names: &ServerNames,
) -> BoxCloneSyncService<Uri, Connection, BoxError> {
    let Some(proxy) = proxy else { return BoxCloneSyncService::new(direct.map_response(MaybeHttpsStream::Http).map_err(BoxError::from)) };
    let connector = HttpsConnector::new(direct, tls.clone(), false, names.clone());
    BoxCloneSyncService::new(service_fn(move |to: Uri| {
        let (mut connector, proxy) = (connector.clone(), proxy.clone());
        async move {
            match connector.call(proxy.address()).await {
                Ok(connection) => proxy.tunnel(connection, to).await,
                Err(error) => Err(error),
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::mpsc::{Receiver, channel};

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use http_body_util::BodyExt as _;
    use rustls::client::danger::HandshakeSignatureValid;
    use rustls::crypto::ring::default_provider;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
    use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
    use rustls::{DigitallySignedStruct, DistinguishedName, ServerConfig, ServerConnection, SignatureScheme, StreamOwned};

    use super::*;

    // Valid for 127.0.0.1 and api.example.com until 2126:
    // openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.pem -days 36500 -subj "/CN=server" \
    //   -addext "subjectAltName=IP:127.0.0.1,DNS:api.example.com" -addext "basicConstraints=critical,CA:FALSE"
    const SERVER: &str = "\
-----BEGIN CERTIFICATE-----
MIIBlzCCAT6gAwIBAgIUTi4QTxCmg8LMYxkh9Fw5F1AqiNgwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGc2VydmVyMCAXDTI2MTEyNjE0MDAwMVoYDzIxMjYxMTAyMTQw
MDAxWjARMQ8wDQYDVQQDDAZzZXJ2ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAQl+Xh3ljaHLKPmLJfecC1b+5EDo0mgvMLXeedE8FmotdXz6a6o9H06Hy9UkT/6
p+D00k9SW6NXsAqDks2xz67Go3IwcDAdBgNVHQ4EFgQUFFrqaFqvOKJVFMPV1Kl1
4xmT8bowHwYDVR0jBBgwFoAUFFrqaFqvOKJVFMPV1Kl14xmT8bowIAYDVR0RBBkw
F4cEfwAAAYIPYXBpLmV4YW1wbGUuY29tMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0E
AwIDRwAwRAIgB7j34i2qvgEq5fbtVeLiUbyO/umuWtFdSGTsm/gU29UCIFINIu5V
RjQ5EW1cyOkvmaRSPPomb41Yxv15wtSCxP7R
-----END CERTIFICATE-----";
    const SERVER_KEY: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNOMm4TZ+SfzXAmH3
reayj0uJuMuv9r1LPQHQJTCzNPChRANCAAQl+Xh3ljaHLKPmLJfecC1b+5EDo0mg
vMLXeedE8FmotdXz6a6o9H06Hy9UkT/6p+D00k9SW6NXsAqDks2xz67G
-----END PRIVATE KEY-----";
    // Version 1 of X.509:
    // openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout client.key -out client.csr -subj "/CN=client"
    // openssl x509 -req -in client.csr -CA server.pem -CAkey server.key -CAcreateserial -days 36500 -out client.pem
    const CLIENT: &str = "\
-----BEGIN CERTIFICATE-----
MIIBHzCBxQIUCIFXnay5w3egQgpJ77tSlrgI9T8wCgYIKoZIzj0EAwIwETEPMA0G
A1UEAwwGc2VydmVyMCAXDTI2MTEyNjEzNTgxMloYDzIxMjYxMTAyMTM1ODEyWjAR
MQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ7VqQt
f9BcD1cv2H54iMRT7Yt0uZEz0CjLLeroq7EYpvsj9hEQ43vXG893eY3ko/i146CS
3GDdZbVhvR4gokzQMAoGCCqGSM49BAMCA0kAMEYCIQD2/hZK7ZvRaDuBOkw+mQGq
lPp8UosVnSHdEQPa0X3yVAIhAJE7JiKmLf90Cd89VlqnG7DNzVEl48ylIVXKnNoK
So5K
-----END CERTIFICATE-----";
    const CLIENT_KEY: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHpLOwkfPBeZ5XpS9
iO67ysfrRRtfIZY74w0qqWUGZ4yhRANCAAQ7VqQtf9BcD1cv2H54iMRT7Yt0uZEz
0CjLLeroq7EYpvsj9hEQ43vXG893eY3ko/i146CS3GDdZbVhvR4gokzQ
-----END PRIVATE KEY-----";

    /// Takes any certificate of a client.
    #[derive(Debug)]
    struct AnyClient;

    impl ClientCertVerifier for AnyClient {
        fn root_hint_subjects(&self) -> &[DistinguishedName] {
            &[]
        }

        fn client_auth_mandatory(&self) -> bool {
            false
        }

        fn verify_client_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: UnixTime,
        ) -> Result<ClientCertVerified, rustls::Error> {
            Ok(ClientCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            _: &[u8],
            _: &CertificateDer<'_>,
            _: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            Ok(HandshakeSignatureValid::assertion())
        }

        fn verify_tls13_signature(
            &self,
            _: &[u8],
            _: &CertificateDer<'_>,
            _: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            Ok(HandshakeSignatureValid::assertion())
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            default_provider().signature_verification_algorithms.supported_schemes()
        }
    }

    /// What came over a connection.
    struct Received {
        requests: String,
        certificate: Option<Vec<u8>>,
    }

    /// A server behind TLS that says OK to everything; it sends what came over each connection.
    fn server() -> (SocketAddr, Receiver<Received>) {
        let certificate = CertificateDer::from_pem_slice(SERVER.as_bytes()).unwrap();
        let key = PrivateKeyDer::from_pem_slice(SERVER_KEY.as_bytes()).unwrap();
        let config = ServerConfig::builder_with_provider(default_provider().into()).with_safe_default_protocol_versions().unwrap();
        let config = config.with_client_cert_verifier(Arc::new(AnyClient)).with_single_cert(vec![certificate], key).unwrap();
        let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
        let (address, (sender, receiver)) = (listener.local_addr().unwrap(), channel());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut stream = StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream);
                let (mut requests, mut answered) = (String::new(), 0);
                let mut byte = [0];
                while stream.read(&mut byte).is_ok_and(|read| read > 0) {
                    requests.push(byte[0].into());
                    if !requests[answered..].ends_with("\r\n\r\n") {
                        continue;
                    }
                    let last = requests[answered..].starts_with("GET");
                    answered = requests.len();
                    let length = if last { "Content-Length: 2\r\n\r\nok" } else { "\r\n" };
                    write!(stream, "HTTP/1.1 200 OK\r\n{length}").unwrap();
                    if last {
                        break;
                    }
                }
                let certificate = stream.conn.peer_certificates().map(|certificates| certificates[0].to_vec());
                // Not every test asks for it.
                let _ = sender.send(Received { requests, certificate });
            }
        });
        (address, receiver)
    }

    fn config(url: &str) -> Config {
        let mut config = Config::new(url.parse().unwrap());
        config.root_cert = Some(vec![CertificateDer::from_pem_slice(SERVER.as_bytes()).unwrap().to_vec()]);
        config
    }

    async fn get(transport: &Transport) -> Bytes {
        let answer = transport.send(Request::get("/version").body(Body::empty()).unwrap()).await.unwrap();
        answer.into_body().collect().await.unwrap().to_bytes()
    }

    #[tokio::test]
    async fn a_client_certificate_of_version_1_is_sent() {
        let (address, received) = server();
        let mut config = config(&format!("https://{address}"));
        config.auth_info.client_certificate_data = Some(STANDARD.encode(CLIENT));
        config.auth_info.client_key_data = Some(STANDARD.encode(CLIENT_KEY).into());
        assert_eq!(get(&Transport::new(&config, None).unwrap()).await, "ok");
        let sent = received.recv().unwrap().certificate.unwrap();
        assert_eq!(sent, CertificateDer::from_pem_slice(CLIENT.as_bytes()).unwrap().to_vec());
    }

    #[tokio::test]
    async fn a_key_of_another_certificate_is_noticed() {
        let mut config = config("https://127.0.0.1:1");
        config.auth_info.client_certificate_data = Some(STANDARD.encode(SERVER));
        config.auth_info.client_key_data = Some(STANDARD.encode(CLIENT_KEY).into());
        let refused = Transport::new(&config, None).err().unwrap().to_string();
        assert_eq!(refused, "the client certificate and the client key do not belong together");
        config.auth_info.client_key_data = Some(STANDARD.encode(CLIENT).into());
        let refused = Transport::new(&config, None).err().unwrap().to_string();
        assert!(refused.starts_with("cannot read the client key: "), "{refused}");
    }

    #[tokio::test]
    async fn a_proxy_may_be_behind_tls() {
        let (address, received) = server();
        let proxy = Proxy::at(&format!("https://me:secret@{address}")).unwrap();
        assert_eq!(get(&Transport::new(&config("http://api.example.com"), Some(proxy)).unwrap()).await, "ok");
        let Received { requests, certificate } = received.recv().unwrap();
        assert!(requests.starts_with("CONNECT api.example.com:80 HTTP/1.1\r\n"), "{requests}");
        assert!(requests.contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n") && certificate.is_none(), "{requests}");
        assert!(requests.contains("\r\n\r\nGET /version HTTP/1.1\r\n"), "{requests}");
    }

    #[tokio::test]
    async fn a_certificate_may_be_for_another_name() {
        let (address, _received) = server();
        let mut config = config(&format!("https://localhost:{}", address.port()));
        assert!(Transport::new(&config, None).unwrap().send(Request::get("/version").body(Body::empty()).unwrap()).await.is_err());
        config.tls_server_name = Some("api.example.com".to_owned());
        assert_eq!(get(&Transport::new(&config, None).unwrap()).await, "ok");
    }
}
