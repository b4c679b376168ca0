//! The list of a resource in a namespace, or in all, page by page.
//!
//! Docs: Kubernetes API Concepts, "Retrieving large results sets in chunks". Servers that can send a list as the beginning of a watch need no pages: `reflector.rs`.

use api::Text;
use contract::ApiResource;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::RemoteCluster;
use super::failure::{Failure, chain};

/// How many objects a page has at most.
const PAGE: usize = 500;

impl RemoteCluster {
    /// All objects of a resource in a namespace, or in all if that is empty, as JSON; those that the label selector selects, if one is given.
    ///
    /// # Errors
    /// If a page is refused, cannot be read, or does not come within 30 s.
    pub async fn list(&self, resource: &ApiResource, namespace: &str, selector: Option<&str>) -> Result<Vec<Text>, Failure> {
        let query = selector.map(|selector| format!("&labelSelector={}", percent_encoded(selector))).unwrap_or_default();
        self.list_pages(&resource.path(namespace), &query).await
    }

    /// All Events of type `Warning` in a namespace, or in all if that is empty, as JSON.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub async fn warnings(&self, namespace: &str) -> Result<Vec<Text>, Failure> {
        let [group, version, kind, plural] = ["", "v1", "Event", "events"].map(Text::from);
        let events = ApiResource { group, version, kind, plural, namespaced: true };
        self.list_pages(&events.path(namespace), "&fieldSelector=type%3DWarning").await
    }

    async fn list_pages(&self, path: &str, query: &str) -> Result<Vec<Text>, Failure> {
        let mut page = ListPage::read(self, path, query, None).await?;
        let mut objects = std::mem::take(&mut page.objects);
        while let Some(from) = page.next {
            page = ListPage::read(self, path, query, Some(&from)).await?;
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
    /// Reads the first page of what a path and a query name, or the one that begins where an earlier one ended.
    pub(super) async fn read(cluster: &RemoteCluster, path: &str, query: &str, from: Option<&str>) -> Result<Self, Failure> {
        let from = from.map(|from| format!("&continue={from}")).unwrap_or_default();
        Self::of_answer(&cluster.read(&format!("{path}?limit={PAGE}{query}{from}")).await?)
    }

    fn of_answer(answer: &[u8]) -> Result<Self, Failure> {
        let List { metadata, items } =
            serde_json::from_slice(answer).map_err(|error| Failure::NoAnswer(format!("cannot read a list: {}", chain(&error))))?;
        let objects = items.unwrap_or_default().into_iter().map(|item| item.get().into()).collect();
        Ok(Self { objects, version: metadata.resource_version, next: Some(metadata.r#continue).filter(|next| !next.is_empty()) })
    }
}

/// A value of a query: what is neither a letter nor a digit is written by its code.
fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
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
