//! The component is the same wherever it is built, so that everybody can compare what was published with what they build.
//!
//! Docs: `crates/xtask/src/component.rs` has the flags that keep the paths of a machine out of it.

use std::fs;
use std::process::Command;

use core_tests::built::{binary, component_path};
use core_tests::files::root;

use crate::program::{Folder, install};

#[test]
fn another_folder_makes_the_same_component() {
    let folder = Folder::new();
    let copy = folder.path().join("another/checkout");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(root()).args(arguments).output().expect("Git is there");
        assert!(output.status.success(), "git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("paths are text")
    };
    git(&["clone", "--quiet", "--shared", ".", copy.to_str().expect("the path is text")]);
    // What is not committed yet goes along.
    for path in git(&["ls-files", "--modified", "--others", "--exclude-standard"]).lines() {
        if root().join(path).is_file() {
            fs::create_dir_all(copy.join(path).parent().expect("it lies in a folder")).expect("the copy can be written to");
            fs::copy(root().join(path), copy.join(path)).expect("the copy can be written to");
        } else {
            let _ = fs::remove_file(copy.join(path));
        }
    }
    // The program takes its target directory from where it lies.
    let xtask = copy.join("target/release/xtask");
    install(&binary().with_file_name("xtask"), &xtask);
    let built = Command::new(&xtask).arg("component").env("CARGO_MANIFEST_DIR", copy.join("crates/xtask")).output();
    let built = built.expect("it starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let [here, there] = [component_path(), copy.join("target/component/controllers.wasm")];
    let [here, there] = [here, there].map(|path| fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    assert!(here == there, "{} bytes here, {} there", here.len(), there.len());
}
