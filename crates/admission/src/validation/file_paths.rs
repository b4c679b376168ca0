//! Paths of files: that they stay below the folder that they start from.
//!
//! Docs: Volumes, "Using subPath"; Projected Volumes. The path of a field is in `path.rs`.

use super::{FieldError, Path};

/// Checks that a path starts below a folder and does not leave it.
pub(super) fn check_descending(path: &Path, text: &str, errors: &mut Vec<FieldError>) {
    if text.starts_with('/') {
        errors.push(FieldError::invalid(path, text, "must be a relative path"));
    }
    check_without_backsteps(path, text, errors);
}

/// Checks that a path does not go back.
pub(super) fn check_without_backsteps(path: &Path, text: &str, errors: &mut Vec<FieldError>) {
    if goes_back(text) {
        errors.push(FieldError::invalid(path, text, "must not contain '..'"));
    }
}

/// Checks the path of a file in a folder that the kubelet writes: names that start with two dots are its own.
pub(super) fn check_file(path: &Path, text: &str, errors: &mut Vec<FieldError>) {
    check_descending(path, text, errors);
    if text.starts_with("..") && !text.starts_with("../") {
        errors.push(FieldError::invalid(path, text, "must not start with '..'"));
    }
}

/// Whether a step of the path goes back.
pub(super) fn goes_back(text: &str) -> bool {
    text.split('/').any(|step| step == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stay_in_their_folder() {
        let faults = |text: &str| {
            let mut errors = Vec::new();
            check_file(&Path::of("path"), text, &mut errors);
            errors.into_iter().map(|error| error.detail).collect::<Vec<_>>()
        };
        assert_eq!(faults("a/..b/c"), Vec::<String>::new());
        assert_eq!(faults("/a"), ["must be a relative path"]);
        assert_eq!(faults("../a"), ["must not contain '..'"]);
        assert_eq!(faults("..a"), ["must not start with '..'"]);
        assert_eq!(faults(".."), ["must not contain '..'", "must not start with '..'"]);
    }
}
