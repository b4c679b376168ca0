//! The component as an OCI artifact: an image layout in a folder, as `wkg` and `oras` read and push it.
//!
//! Docs: OCI Image Layout Specification; the Wasm OCI Artifact layout of CNCF's TAG Runtime. What else is packaged is in `mod.rs`.

use std::fs;

use serde_json::{Value, json};

use super::{Packages, sha256};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const CONFIG: &str = "application/vnd.wasm.config.v0+json";
const LAYER: &str = "application/wasm";

/// Writes the layout.
pub(super) fn write(packages: &Packages) -> anyhow::Result<()> {
    let folder = packages.folder.join("oci");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("blobs/sha256"))?;
    let blob = |media_type: &str, content: &[u8]| -> anyhow::Result<Value> {
        let digest = sha256(content);
        fs::write(folder.join("blobs/sha256").join(&digest), content)?;
        Ok(json!({"mediaType": media_type, "digest": format!("sha256:{digest}"), "size": content.len()}))
    };
    let layer = blob(LAYER, &packages.component)?;
    let config = json!({
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [layer["digest"]],
        "component": {"imports": [], "exports": [packages.interface]},
    });
    let config = blob(CONFIG, config.to_string().as_bytes())?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [layer],
        "annotations": {
            "org.opencontainers.image.title": "jobsmith controllers",
            "org.opencontainers.image.version": packages.version,
            "org.opencontainers.image.licenses": packages.licence,
            "org.opencontainers.image.source": packages.source,
            "org.opencontainers.image.revision": packages.revision,
        },
    });
    let mut manifest = blob(MANIFEST, manifest.to_string().as_bytes())?;
    manifest["annotations"] = json!({"org.opencontainers.image.ref.name": packages.version});
    let index = json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest]});
    fs::write(folder.join("index.json"), index.to_string())?;
    Ok(fs::write(folder.join("oci-layout"), json!({"imageLayoutVersion": "1.0.0"}).to_string())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn every_digest_names_a_blob_with_that_content() {
        let folder = std::env::temp_dir().join(format!("jobsmith-oci-{}", std::process::id()));
        let packages = Packages {
            workspace: &Workspace { root: folder.clone(), target: folder.clone() },
            folder: folder.clone(),
            component: b"component".to_vec(),
            bill: Value::Null,
            notices: String::new(),
            version: "1.2.3",
            licence: "Apache-2.0",
            source: "https://example.com",
            revision: "abc".to_owned(),
            interface: "a:b/c@0.1.0".to_owned(),
        };
        write(&packages).unwrap();
        let read = |path: &str| fs::read(folder.join("oci").join(path)).unwrap();
        let tree = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
        let blob = |descriptor: &Value| {
            let digest = descriptor["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap();
            let content = read(&format!("blobs/sha256/{digest}"));
            assert_eq!((sha256(&content), json!(content.len())), (digest.to_owned(), descriptor["size"].clone()));
            content
        };
        let manifest = tree(&blob(&tree(&read("index.json"))["manifests"][0]));
        assert_eq!(blob(&manifest["layers"][0]), b"component");
        assert_eq!(tree(&blob(&manifest["config"]))["layerDigests"][0], manifest["layers"][0]["digest"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
