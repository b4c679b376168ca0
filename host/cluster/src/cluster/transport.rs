//! HTTP to the API server: connections that are kept, with the TLS and the credentials that the configuration names.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; Controlling Access to the Kubernetes API, "Transport security". What is sent is in `send.rs`.
//!
//! kube's own client passes each request through a queue, a span and timers that nothing here needs: an eighth of what a controller of many small
//! requests costs.

use http::{Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Bytes, Incoming};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kube::Config;
use kube::client::{Body, ConfigExt as _};
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceBuilder, ServiceExt as _};

/// The body of an answer that is read while it comes.
pub(super) type BodyStream = UnsyncBoxBody<Bytes, hyper::Error>;

/// What sends requests; their paths are below the cluster's address.
#[derive(Clone)]
pub(super) struct Transport(BoxCloneSyncService<Request<Body>, Response<Incoming>, BoxError>);

impl Transport {
    /// Prepares to speak to the cluster of a configuration; nothing is sent yet.
    ///
    /// # Errors
    /// If the credentials or certificates in it cannot be used.
    pub(super) fn new(config: &Config) -> kube::Result<Self> {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_connect_timeout(config.connect_timeout);
        let connector = config.rustls_https_connector_with_connector(connector)?;
        let service = ServiceBuilder::new()
            .layer(config.base_uri_layer())
            .option_layer(config.auth_layer()?)
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
