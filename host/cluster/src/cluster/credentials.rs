//! The credentials of a configuration: its client certificate, and the program that supplies them.
//!
//! Docs: Authenticating, "X.509 client certificates", "client-go credential plugins". Tokens and passwords are kube's part; where they are sent is in
//! `transport.rs`.

use std::error::Error;
use std::io::ErrorKind;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube::Config;
use kube::client::{AuthError, ConfigExt as _};
use kube::config::{AuthInfo, ExecConfig};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, InconsistentKeys};
use secrecy::ExposeSecret as _;

/// Why credentials cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum CredentialError {
    /// kube cannot use them.
    #[error(transparent)]
    Kube(#[from] kube::Error),
    /// Something else is wrong, in words.
    #[error("{0}")]
    Unusable(String),
}

/// The program that a kubeconfig has for getting credentials.
#[derive(Debug, Clone, Default)]
pub(super) struct CredentialPlugin {
    command: String,
    install_hint: String,
}

impl CredentialPlugin {
    /// The program of a configuration, if it has one.
    pub(super) fn of(auth: &AuthInfo) -> Option<Self> {
        let ExecConfig { command, install_hint, .. } = auth.exec.as_ref()?;
        let install_hint = install_hint.as_deref().unwrap_or_default().trim().to_owned();
        Some(Self { command: command.clone()?, install_hint })
    }

    /// What went wrong with the program, if that is what an error is about.
    pub(super) fn failure(&self, error: &(dyn Error + 'static)) -> Option<String> {
        let command = &self.command;
        let mut next = Some(error);
        while let Some(error) = next {
            match error.downcast_ref() {
                Some(AuthError::AuthExecStart(error)) if error.kind() == ErrorKind::NotFound => {
                    let place = if command.contains('/') { "does not exist" } else { "is not in PATH" };
                    let hint = if self.install_hint.is_empty() { String::new() } else { format!(":\n{}", self.install_hint) };
                    return Some(format!(
                        "the kubeconfig's credential plugin {command} {place}; install it, or choose another context{hint}"
                    ));
                }
                Some(AuthError::AuthExecStart(error)) => return Some(format!("cannot start the credential plugin {command}: {error}")),
                Some(AuthError::AuthExecRun { out, .. }) => {
                    // Where the program may speak to people itself, its messages have been printed already.
                    let printed = String::from_utf8_lossy(&out.stderr);
                    let colon = if printed.trim().is_empty() { "" } else { ": " };
                    return Some(format!("the credential plugin {command} failed with {}{colon}{}", out.status, printed.trim()));
                }
                Some(AuthError::ExecPluginFailed) => return Some(format!("the credential plugin {command} returned no status")),
                Some(AuthError::AuthExecParse(_)) => return Some(format!("cannot read what the credential plugin {command} returned")),
                _ => next = error.source(),
            }
        }
        None
    }
}

/// How to speak TLS under a configuration; `authorized` if requests have a header for that, so that a credential plugin need not be run again.
///
/// # Errors
/// If a certificate or a key cannot be used.
pub(super) fn tls(config: &Config, authorized: bool) -> Result<ClientConfig, CredentialError> {
    let mut config = config.clone();
    if authorized {
        config.auth_info.exec = None;
    }
    if config.auth_info.exec.is_some() {
        return Ok(config.rustls_client_config()?);
    }
    let own = client_certificate(&mut config.auth_info).map_err(CredentialError::Unusable)?;
    let mut tls = config.rustls_client_config()?;
    if let Some((certificates, key)) = own {
        let key = tls.crypto_provider().key_provider.load_private_key(key);
        let key = key.map_err(|error| CredentialError::Unusable(format!("the client key: {error}")))?;
        let own = CertifiedKey::new(certificates, key);
        // What rustls cannot read of our own certificate, such as version 1 of X.509, is for the server to judge.
        if let Err(rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) = own.keys_match() {
            return Err(CredentialError::Unusable("the client certificate and the client key do not belong together".to_owned()));
        }
        tls.client_auth_cert_resolver = Arc::new(SingleCertAndKey::from(own));
    }
    Ok(tls)
}

type ClientCertificate = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// Takes the client certificate out of a configuration, with its chain and key.
fn client_certificate(auth: &mut AuthInfo) -> Result<Option<ClientCertificate>, String> {
    let data = auth.client_certificate_data.take();
    let certificate = pem("client certificate", data.as_deref(), auth.client_certificate.take())?;
    let data = auth.client_key_data.take();
    let key = pem("client key", data.as_ref().map(|data| data.expose_secret()), auth.client_key.take())?;
    let (Some(certificate), Some(key)) = (certificate, key) else { return Ok(None) };
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&certificate).collect();
    let certificates = certificates.map_err(|error| format!("cannot read the client certificate: {error}"))?;
    if certificates.is_empty() {
        return Err("cannot read the client certificate: there is none in it".to_owned());
    }
    let key = PrivateKeyDer::from_pem_slice(&key).map_err(|error| format!("cannot read the client key: {error}"))?;
    Ok(Some((certificates, key)))
}

/// The content of a field, or of the file that another one names.
fn pem(what: &str, data: Option<&str>, file: Option<String>) -> Result<Option<Vec<u8>>, String> {
    let given = |text: &&str| !text.is_empty();
    if let Some(data) = data.filter(given) {
        return STANDARD.decode(data).map(Some).map_err(|error| format!("cannot read the {what}: {error}"));
    }
    let Some(file) = file.filter(|file| !file.is_empty()) else { return Ok(None) };
    std::fs::read(&file).map(Some).map_err(|error| format!("cannot read the {what} {file}: {error}"))
}
