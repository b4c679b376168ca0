//! Which files a kustomization lists among its resources: `kubectl apply -k` applies them again and again.
//!
//! Docs: Kustomize, "kustomization". What follows from it is decided in the crate `advice`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// How the file of a kustomization may be called.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The kustomizations in some folders, each read once.
pub(super) struct Kustomizations<'p>(BTreeMap<&'p Path, Vec<String>>);

impl<'p> Kustomizations<'p> {
    /// Those beside files.
    pub(super) fn beside(files: impl Iterator<Item = &'p Path>) -> Self {
        let mut folders = BTreeMap::new();
        for folder in files.filter_map(Path::parent) {
            folders.entry(folder).or_insert_with(|| {
                let text = NAMES.iter().find_map(|name| std::fs::read_to_string(folder.join(name)).ok());
                text.map(|text| resources(&text)).unwrap_or_default()
            });
        }
        Self(folders)
    }

    /// Whether the kustomization beside a file lists it among its resources.
    pub(super) fn list(&self, path: &Path) -> bool {
        let Some((folder, name)) = path.parent().zip(path.file_name().and_then(|name| name.to_str())) else { return false };
        let resources = self.0.get(folder).map(Vec::as_slice).unwrap_or_default();
        resources.iter().any(|resource| resource.strip_prefix("./").unwrap_or(resource) == name)
    }
}

/// The resources that a kustomization lists.
fn resources(text: &str) -> Vec<String> {
    let documents = manifest::read(text).unwrap_or_default();
    let listed = documents.iter().filter_map(|document| document.get("resources")?.as_array()).flatten();
    listed.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::resources;

    #[test]
    fn resources_are_those_of_the_list() {
        let text = "kind: Kustomization\nresources:\n- ./job.yaml\n- ../base\npatches: [{path: patch.yaml}]\n";
        assert_eq!(resources(text), ["./job.yaml", "../base"]);
        assert!(resources("resources: {{ .x }}").is_empty() && resources("").is_empty());
    }
}
