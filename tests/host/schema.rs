//! `jobsmith schema`: what is known of one field.
//!
//! Docs: `jobsmith schema --help`. The table of fields has its test in `fields.rs`, the JSON Schema in `readers/`.

use expect_test::expect;

use crate::program::Folder;

#[test]
fn a_field_is_described() {
    let folder = Folder::new();
    let shown = |arguments: &[&str]| folder.run(&[&["schema"], arguments].concat()).with_status(0).stdout;
    expect![[r#"
        spec.completions: number (int32)
          How many pods have to succeed. Without it and with parallelism, the Job is a work queue: it is complete as soon as one pod has succeeded and all have ended. Default: 1 where parallelism is not set either.
          At least 0.
          An update may change it if the Job is Indexed, together with parallelism, to the same value.
          Rules about it (see `jobsmith lint RULE`): limit-counts-all, work-queue, runs-nothing.
    "#]]
    .assert_eq(&shown(&["job", "spec.completions"]));
    expect![[r#"
        spec.concurrencyPolicy: string
          What happens when a run is due while Jobs of earlier runs are active: Allow starts it beside them, Forbid skips it, Replace deletes them first.
          Default: Allow.
          Values: Allow, Forbid, Replace.
          An update may change it.
          Rules about it (see `jobsmith lint RULE`): runs-pile-up, one-stuck-blocks-all, longer-than-period.
    "#]]
    .assert_eq(&shown(&["cj", "concurrencypolicy"]));
    expect![[r#"
        spec.template.spec.volumes[].image.pullPolicy: string
          See ImageVolumeSource in the Kubernetes API reference.
          Values: Always, IfNotPresent, Never.
          No update may change it: delete the object and create it again.
    "#]]
    .assert_eq(&shown(&["job", "volumes[0].image.pullPolicy"]));
    for kind in ["Job", "jobs", "jobs.batch", "CronJob", "CJ"] {
        assert!(shown(&[kind, "suspend"]).contains("suspend: true or false\n"), "{kind}");
    }
    let refused = folder.run(&["schema", "job", "spec.backofLimit"]).with_status(2);
    assert_eq!(refused.stderr, "error: a Job has no field spec.backofLimit; did you mean backoffLimit?\n");
}
