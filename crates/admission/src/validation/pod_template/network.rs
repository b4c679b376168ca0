//! Names and addresses: DNS, host names, host aliases.
//!
//! Docs: DNS for Services and Pods; Adding entries to Pod /etc/hosts with HostAliases (A-70). Ports are in `ports.rs`.

use api::syntax::{SUBDOMAIN_LENGTH, is_label};

use crate::pod_template::{DnsConfig, HostAlias, PodSpec};
use crate::validation::{FieldError, Path, addresses, names, required};

/// The most servers, search domains, and characters of all search domains.
const NAMESERVERS: usize = 3;
const SEARCHES: usize = 32;
const SEARCH_LENGTH: usize = 2048;
/// The most bytes of a host name that is set as it is.
const HOSTNAME_LENGTH: usize = 64;

const NO_SEARCH: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', \
     and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

pub(super) fn check_dns_policy(path: &Path, policy: &str, errors: &mut Vec<FieldError>) {
    if required(path, policy, errors) {
        crate::validation::one_of(path, policy, schema::values("PodSpec", "dnsPolicy"), errors);
    }
}

pub(super) fn check_dns(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    if &*spec.dns_policy == "None" {
        match &spec.dns_config {
            None => errors.push(FieldError::required(path, "must provide `dnsConfig` when `dnsPolicy` is None")),
            Some(config) if config.nameservers.is_empty() => {
                let detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
                errors.push(FieldError::required(path.field("nameservers"), detail));
            }
            Some(_) => (),
        }
    }
    if let Some(config) = &spec.dns_config {
        check_dns_config(path, config, errors);
    }
}

fn check_dns_config(path: &Path, config: &DnsConfig, errors: &mut Vec<FieldError>) {
    let (nameservers, searches) = (path.field("nameservers"), path.field("searches"));
    if config.nameservers.len() > NAMESERVERS {
        let detail = format!("must not have more than {NAMESERVERS} nameservers");
        errors.push(FieldError::invalid(nameservers, &config.nameservers, detail));
    }
    for (at, server) in config.nameservers.iter().enumerate() {
        addresses::check(&nameservers.index(at), server, errors);
    }
    if config.searches.len() > SEARCHES {
        errors.push(FieldError::invalid(searches, &config.searches, format!("must not have more than {SEARCHES} search paths")));
    }
    if config.searches.iter().map(|search| search.len() + 1).sum::<usize>() > SEARCH_LENGTH + 1 {
        let detail = format!("must not have more than {SEARCH_LENGTH} characters (including spaces) in the search list");
        errors.push(FieldError::invalid(searches, &config.searches, detail));
    }
    for (at, search) in config.searches.iter().enumerate().filter(|(_, search)| &***search != ".") {
        check_search(&searches.index(at), search, errors);
    }
    for (at, option) in config.options.iter().enumerate() {
        if option.name.is_empty() {
            errors.push(FieldError::required(path.field("options").index(at), "must not be empty"));
        }
    }
}

/// A domain may end with a dot, and its labels may begin with and have underscores.
fn check_search(path: &Path, search: &str, errors: &mut Vec<FieldError>) {
    let domain = search.strip_suffix('.').unwrap_or(search);
    if domain.len() > SUBDOMAIN_LENGTH {
        errors.push(FieldError::invalid(path, domain, format!("must be no more than {SUBDOMAIN_LENGTH} characters")));
    }
    let word = |label: &str| {
        let label = label.strip_prefix('_').unwrap_or(label);
        is_label(&label.replace('_', "-")) && label.starts_with(|first: char| first != '_') && label.ends_with(|last: char| last != '_')
    };
    if !domain.split('.').all(word) {
        errors.push(FieldError::invalid(path, domain, NO_SEARCH));
    }
}

pub(super) fn check_hostnames(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    for (field, name) in [("hostname", &spec.hostname), ("subdomain", &spec.subdomain)] {
        if !name.is_empty() {
            names::check_label(&path.field(field), name, errors);
        }
    }
    let Some(name) = &spec.hostname_override else { return };
    let path = path.field("hostnameOverride");
    if spec.set_hostname_as_fqdn == Some(true) {
        errors.push(FieldError::forbidden(path, "may not be specified when setHostnameAsFQDN is true"));
    }
    if spec.host_network {
        errors.push(FieldError::forbidden(path, "may not be specified when hostNetwork is true"));
    }
    names::check_subdomain(&path, name, errors);
    if name.len() > HOSTNAME_LENGTH {
        errors.push(FieldError::too_long(path, HOSTNAME_LENGTH));
    }
}

pub(super) fn check_host_aliases(path: &Path, aliases: &[HostAlias], errors: &mut Vec<FieldError>) {
    for (at, alias) in aliases.iter().enumerate() {
        let path = path.index(at);
        addresses::check(&path.field("ip"), &alias.ip, errors);
        for (at, name) in alias.hostnames.iter().enumerate() {
            names::check_subdomain(&path.field("hostnames").index(at), name, errors);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_pod;
    use super::*;

    #[test]
    fn a_70_dns() {
        check_pod(r#""dnsPolicy":"None""#, &["dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"]);
        check_pod(
            r#""dnsPolicy":"None","dnsConfig":{}"#,
            &["dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"],
        );
        check_pod(r#""dnsConfig":{"searches":[".","a.","_x.y_z"],"options":[{"name":"ndots","value":"2"}]}"#, &[]);
        let invalid = format!(r#"dnsConfig.searches[0]: Invalid value: "a-": {NO_SEARCH}"#);
        check_pod(
            r#""dnsConfig":{"nameservers":["1.1.1.1","1.1.1.1","1.1.1.1","1.1.1.1"],"searches":["a-"],"options":[{}]}"#,
            &[
                r#"dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.1","1.1.1.1","1.1.1.1"]: must not have more than 3 nameservers"#,
                &invalid,
                "dnsConfig.options[0]: Required value: must not be empty",
            ],
        );
    }

    #[test]
    fn a_70_search_domains_are_counted_and_measured() {
        let searches = |domain: &str, count: usize| {
            let list = vec![format!("{domain:?}"); count].join(",");
            (format!(r#""dnsConfig":{{"searches":[{list}]}}"#), list)
        };
        let (pod, list) = searches("a", 33);
        check_pod(&pod, &[&format!("dnsConfig.searches: Invalid value: [{list}]: must not have more than 32 search paths")]);
        let domain = ["a".repeat(63), "b".repeat(63)].join(".");
        let (pod, list) = searches(&domain, 17);
        let detail = "must not have more than 2048 characters (including spaces) in the search list";
        check_pod(&searches(&domain, 16).0, &[]);
        check_pod(&pod, &[&format!("dnsConfig.searches: Invalid value: [{list}]: {detail}")]);
    }

    #[test]
    fn a_70_host_names_and_aliases() {
        check_pod(
            r#""hostnameOverride":"a","hostNetwork":true,"setHostnameAsFQDN":true"#,
            &[
                "hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true",
                "hostnameOverride: Forbidden: may not be specified when hostNetwork is true",
            ],
        );
        let long = ["a".repeat(32), "b".repeat(32)].join(".");
        check_pod(&format!(r#""hostnameOverride":"{long}""#), &["hostnameOverride: Too long: may not be more than 64 bytes"]);
        check_pod(r#""hostAliases":[{"ip":"1.1.1.01"}]"#, &[r#"hostAliases[0].ip: Invalid value: "1.1.1.01": must not have leading 0s"#]);
    }
}
