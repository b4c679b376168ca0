//! What is left out of a check although it is named or lies in a folder that is: the files and folders that match a glob.
//!
//! Docs: `jobsmith check --help`; the globs are read as those of a `.gitignore`. Which files there are otherwise is found in `files.rs`.

use std::env;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use glob::{MatchOptions, Pattern};

/// `*` stands for no slash.
const OPTIONS: MatchOptions = MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// Files that are left out, and folders with all that is in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exclusion {
    pattern: Pattern,
    /// Whether it is about a path from the working directory on, and not about a name at any depth.
    path: bool,
}

impl FromStr for Exclusion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let glob = text.trim_end_matches('/');
        let path = glob.contains('/');
        let glob = glob.strip_prefix("./").or_else(|| glob.strip_prefix('/')).unwrap_or(glob);
        if glob.is_empty() {
            return Err("name files or folders, as in 'charts/*/templates'".to_owned());
        }
        let pattern = Pattern::new(glob).map_err(|error| format!("{}, at character {}", error.msg, error.pos + 1))?;
        Ok(Self { pattern, path })
    }
}

impl Exclusion {
    /// Whether it is about this file or folder, whose path begins at the working directory.
    fn matches(&self, path: &Path) -> bool {
        if self.path {
            self.pattern.matches_path_with(path, OPTIONS)
        } else {
            path.file_name().is_some_and(|name| self.pattern.matches_path_with(Path::new(name), OPTIONS))
        }
    }
}

/// Whether a file or folder is left out, by itself or with a folder that it is in.
pub(super) fn excluded(exclusions: &[Exclusion], path: &Path) -> bool {
    if exclusions.is_empty() {
        return false;
    }
    let from_here = env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    let path: PathBuf = from_here.unwrap_or_else(|| path.components().filter(|part| *part != Component::CurDir).collect());
    path.ancestors().any(|part| exclusions.iter().any(|exclusion| exclusion.matches(part)))
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn globs_are_read_as_those_of_a_gitignore() {
        let here = env::current_dir().unwrap().join("k8s/a.yaml");
        let here = here.to_str().unwrap();
        for (glob, left_out, left_in) in [
            ("a.yaml", &["a.yaml", "k8s/a.yaml", "./k8s/a.yaml", here] as &[&str], &["k8s/b.yaml", "a.yaml.bak"] as &[&str]),
            ("vendor/", &["vendor", "vendor/a.yaml", "k8s/vendor/b/a.yaml"], &["vendors/a.yaml"]),
            ("*.test.yaml", &["k8s/a.test.yaml"], &["k8s/test.yaml"]),
            ("k8s/*.yaml", &["k8s/a.yaml", here], &["k8s/old/a.yaml", "other/k8s/a.yaml"]),
            ("/k8s", &["k8s/a.yaml"], &["other/a.yaml"]),
            ("./charts/*/templates", &["charts/web/templates/job.yaml"], &["charts/web/job.yaml", "charts/a/b/templates/job.yaml"]),
            ("**/templates/**", &["charts/web/templates/job.yaml", "templates/job.yaml"], &["charts/templates.yaml"]),
            ("k8s/[ab].yaml", &["k8s/a.yaml"], &["k8s/c.yaml"]),
        ] {
            let exclusions = [glob.parse().unwrap()];
            assert!(left_out.iter().all(|path| excluded(&exclusions, Path::new(path))), "{glob}");
            assert!(!left_in.iter().any(|path| excluded(&exclusions, Path::new(path))), "{glob}");
        }
        assert!(!excluded(&[], Path::new("a.yaml")));
        assert!(["", "/", "a[", "a/***"].iter().all(|glob| glob.parse::<Exclusion>().is_err()));
    }
}
