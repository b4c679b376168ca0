//! The list of a resource in a namespace, or in all, page by page.
//!
//! Docs: Kubernetes API Concepts, "Retrieving large results sets in chunks". Servers that can send a list as the beginning of a watch need no pages: `reflector.rs`.

use std::fmt::Write as _;

use api::Text;
use contract::ApiResource;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::RemoteCluster;
use super::failure::{Failure, chain};

/// How many objects a page has at most.
const PAGE: usize = 500;

impl RemoteCluster {
    /// All objects of a resource in a namespace, as JSON.
    ///
    /// # Errors
    /// If a page is refused, cannot be read, or does not come within 30 s.
    pub async fn list(&self, resource: &ApiResource, namespace: &str) -> Result<Vec<Text>, Failure> {
        self.select(resource, namespace, "").await
    }

    /// The same of the objects with these labels, as in `a=b,c=d`.
    ///
    /// # Errors
    /// If a page is refused, cannot be read, or does not come within 30 s.
    pub async fn select(&self, resource: &ApiResource, namespace: &str, labels: &str) -> Result<Vec<Text>, Failure> {
        let mut page = ListPage::read(self, resource, namespace, labels, None).await?;
        let mut objects = std::mem::take(&mut page.objects);
        while let Some(from) = page.next {
            page = ListPage::read(self, resource, namespace, labels, Some(&from)).await?;
            objects.append(&mut page.objects);
        }
        Ok(objects)
    }
}

/// One page of a list.
pub(super) struct ListPage {
    /// The objects in it.
    pub(super) objects: Vec<Text>,
    /// The version of the whole list.
    pub(super) version: String,
    /// Where the next page begins, if there is one.
    pub(super) next: Option<String>,
}

impl ListPage {
    /// Reads the first page, or the one that begins where an earlier one ended.
    pub(super) async fn read(
        cluster: &RemoteCluster,
        resource: &ApiResource,
        namespace: &str,
        labels: &str,
        from: Option<&str>,
    ) -> Result<Self, Failure> {
        let mut path = resource.path(namespace);
        let from = from.map(|from| format!("&continue={from}")).unwrap_or_default();
        let labels = if labels.is_empty() { String::new() } else { format!("&labelSelector={labels}") };
        write!(path, "?limit={PAGE}{labels}{from}").expect("a string takes all that is written");
        Self::of_answer(&cluster.read(&path).await?)
    }

    fn of_answer(answer: &[u8]) -> Result<Self, Failure> {
        let List { metadata, items } =
            serde_json::from_slice(answer).map_err(|error| Failure::NoAnswer(format!("cannot read a list: {}", chain(&error))))?;
        let objects = items.unwrap_or_default().into_iter().map(|item| item.get().into()).collect();
        Ok(Self { objects, version: metadata.resource_version, next: Some(metadata.r#continue).filter(|next| !next.is_empty()) })
    }
}

#[derive(Deserialize)]
struct List<'a> {
    metadata: ListMeta,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListMeta {
    resource_version: String,
    #[serde(default)]
    r#continue: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_token_of_the_next() {
        let page = ListPage::of_answer(br#"{"metadata":{"resourceVersion":"7","continue":"abc"},"items":[{"a":1},{ }]}"#).unwrap();
        assert_eq!((&*page.objects[0], &*page.objects[1], &*page.version, page.next.as_deref()), (r#"{"a":1}"#, "{ }", "7", Some("abc")));
        let last = ListPage::of_answer(br#"{"metadata":{"resourceVersion":"7"},"items":null}"#).unwrap();
        assert_eq!((last.objects.len(), last.next), (0, None));
        assert!(ListPage::of_answer(b"<html>").is_err());
    }
}
