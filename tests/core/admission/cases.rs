//! Requests about Jobs that chance seldom makes up, under the rules that they are about.
//!
//! Docs: Jobs, "Writing a Job spec" (A-13…A-149). What chance chooses from is in `choices.rs`.

use super::requests::Edit;

const LONG_NAME: Edit<'static> = ("metadata name", r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#);
const LONGER_NAME: Edit<'static> = ("metadata name", r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#);
const INDEXED: Edit<'static> = ("spec completionMode", r#""Indexed""#);
const BY_INDEX: Edit<'static> = ("spec backoffLimitPerIndex", "1");
const MANUAL: Edit<'static> = ("spec manualSelector", "true");
const SUSPENDED: Edit<'static> = ("spec suspend", "true");

/// Creations: edits of a plain Job.
pub(super) const CREATIONS: &[&[Edit<'static>]] = &[
    // A-170
    &[("metadata name", r#""a.b""#)],
    &[("metadata name", r#""a.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#)],
    // A-171
    &[INDEXED, ("spec completions", "100001"), ("spec parallelism", "10001")],
    &[INDEXED, ("spec completions", "100000"), ("spec parallelism", "10001")],
    &[INDEXED, ("spec completions", "100001"), ("spec parallelism", "10000")],
    &[("spec completions", "100001"), ("spec parallelism", "10001")],
    // A-51, A-52
    &[LONG_NAME, INDEXED, ("spec completions", "10")],
    &[LONG_NAME, INDEXED, ("spec completions", "11")],
    &[("metadata name", r#""a.b""#), INDEXED, ("spec completions", "3")],
    &[("metadata name", r#""a.b""#), INDEXED, ("spec completions", "0")],
    &[("metadata name", r#""""#), INDEXED, ("spec completions", "3")],
    // A-28
    &[LONGER_NAME, ("spec template metadata labels", r#"{"a":"b"}"#)],
    &[LONGER_NAME, ("spec template metadata labels", r#"{"a":"b"}"#), ("metadata labels", r#"{"a":"b"}"#)],
    // A-58
    &[("spec managedBy", r#""a.b/ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc""#)],
    &[("spec managedBy", r#""/""#)],
    // A-60, A-103
    &[INDEXED, ("spec parallelism", "3")],
    &[INDEXED, ("spec parallelism", "3"), ("spec successPolicy", r#"{"rules":[{"succeededCount":1}]}"#)],
    // A-62 to A-66
    &[INDEXED, BY_INDEX, ("spec completions", "11"), ("spec maxFailedIndexes", "12")],
    &[INDEXED, BY_INDEX, ("spec completions", "200000")],
    &[INDEXED, BY_INDEX, ("spec completions", "200000"), ("spec maxFailedIndexes", "10001"), ("spec parallelism", "10001")],
    &[INDEXED, BY_INDEX, ("spec completions", "200000"), ("spec maxFailedIndexes", "100001"), ("spec parallelism", "100001")],
    &[INDEXED, ("spec completions", "200000"), ("spec maxFailedIndexes", "100001"), ("spec parallelism", "100000")],
    &[INDEXED, BY_INDEX, ("spec completions", "100001"), ("spec maxFailedIndexes", "10000"), ("spec parallelism", "10000")],
    // A-70, A-101
    &[("spec podFailurePolicy", r#"{"rules":[]}"#), ("spec template spec restartPolicy", r#""OnFailure""#)],
    &[("spec podFailurePolicy", r#"{"rules":[]}"#), ("spec template spec restartPolicy", r#""Other""#)],
    &[("spec podFailurePolicy", r#"{"rules":[]}"#), ("spec podReplacementPolicy", r#""""#)],
    // A-84, A-92
    &[(
        "spec podFailurePolicy",
        r#"{"rules":[{"action":"Count","onExitCodes":{"values":[1]}},{"action":"Count","onPodConditions":[{"type":"A","status":"Maybe"}]}]}"#,
    )],
    // A-80, A-90, A-96
    &[("spec podFailurePolicy", POLICY_OF_21)],
    &[("spec podFailurePolicy", CONDITIONS_OF_21)],
    &[INDEXED, ("spec successPolicy", SUCCESS_OF_21)],
    // A-100, A-105
    &[INDEXED, ("spec completions", "5"), ("spec successPolicy", r#"{"rules":[{"succeededIndexes":"+0,1-+2","succeededCount":3}]}"#)],
    &[
        INDEXED,
        ("spec completions", "5"),
        (
            "spec successPolicy",
            r#"{"rules":[{"succeededIndexes":"0-1-2"},{"succeededIndexes":"-1"},{"succeededIndexes":"1,"},{"succeededIndexes":" 0"},{"succeededIndexes":"0,0"},{"succeededIndexes":"99999999999999999999"}]}"#,
        ),
    ],
    &[INDEXED, ("spec completions", "-1"), ("spec successPolicy", r#"{"rules":[{"succeededIndexes":"0"},{"succeededCount":1}]}"#)],
    // A-42
    &[MANUAL],
    &[MANUAL, ("spec selector", r#"{"matchExpressions":[{"key":"k","operator":"DoesNotExist"}]}"#)],
    &[MANUAL, ("spec selector", r#"{"matchExpressions":[{"key":"k","operator":"Exists","values":["a"]}]}"#)],
    &[MANUAL, ("spec selector", r#"{"matchLabels":{"a":"b"}}"#), ("spec template metadata labels", r#"{"a":"b"}"#)],
    // A-50
    &[("metadata annotations", r#"{"A_/b":"","a/b/c":"","":""}"#)],
    &[(
        "metadata ownerReferences",
        r#"[{"apiVersion":"/v1","kind":"A","name":"x","uid":"1"},{"apiVersion":"v1/","kind":"A","name":"x","uid":"1"}]"#,
    )],
    // A-70
    &[("spec template spec containers 0 ports", r#"[{"containerPort":70000,"name":"1"},{"containerPort":-1,"name":"A"}]"#)],
    &[
        ("spec template spec containers", r#"[{"name":"","image":"x"},{"name":"","image":"x"}]"#),
        ("spec template spec initContainers", r#"[{"name":"","image":"x"}]"#),
    ],
    &[(
        "spec template spec initContainers",
        r#"[{"name":"","image":"x"},{"name":"","image":"x"},{"name":"main","image":"x"},{"name":"main","image":"x"}]"#,
    )],
    // A-30
    &[("spec template spec containers 0 image", r#""x:latest@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#)],
    &[("spec template spec serviceAccount", r#""old""#)],
    &[("spec template spec containers 0 readinessProbe", r#"{"tcpSocket":{"port":1},"periodSeconds":3}"#)],
    &[("spec template spec containers 0 env", r#"[{"name":"A","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}}]"#)],
    &[(
        "spec template spec volumes",
        r#"[{"name":"a","projected":{"sources":[{"configMap":{"name":"c"}}]}},{"name":"b","downwardAPI":{}}]"#,
    )],
];

const POLICY_OF_21: &str = r#"{"rules":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}"#;
const CONDITIONS_OF_21: &str =
    r#"{"rules":[{"action":"Count","onPodConditions":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}]}"#;
const SUCCESS_OF_21: &str = r#"{"rules":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}"#;

/// Creations at the limits of size: edits of a plain Job.
pub(super) fn large() -> Vec<Vec<(&'static str, String)>> {
    let text = |length| format!("{:?}", "a".repeat(length));
    let prefixed = format!(r#"{{"{}/b":"{}"}}"#, "a".repeat(254), "c".repeat(64));
    let exit_codes: Vec<_> = (1..=256).collect();
    let indexes: Vec<_> = (10_000..21_000).map(|index| index.to_string()).collect();
    vec![
        // A-50
        vec![("metadata name", text(253))],
        vec![("metadata name", text(254))],
        vec![("metadata generateName", text(254))],
        vec![("metadata namespace", text(64))],
        vec![("metadata labels", prefixed)],
        vec![("metadata annotations a", text(256 * 1024 - 1))],
        vec![("metadata annotations a", text(256 * 1024))],
        // A-86
        vec![(
            "spec podFailurePolicy",
            format!(r#"{{"rules":[{{"action":"Count","onExitCodes":{{"operator":"In","values":{exit_codes:?}}}}}]}}"#),
        )],
        // A-98
        vec![
            ("spec completionMode", r#""Indexed""#.to_owned()),
            ("spec completions", "100000".to_owned()),
            ("spec successPolicy", format!(r#"{{"rules":[{{"succeededIndexes":"{}"}}]}}"#, indexes.join(","))),
        ],
    ]
}

/// Updates: edits of a plain Job that is stored, and those of the request.
pub(super) const UPDATES: &[(&[Edit<'static>], &[Edit<'static>])] = &[
    // A-170, A-171
    (&[("metadata name", r#""a.b""#)], &[("spec parallelism", "3")]),
    (&[INDEXED, ("spec completions", "100001")], &[("spec parallelism", "10001")]),
    (&[INDEXED, ("spec completions", "100001"), ("spec parallelism", "10001")], &[("metadata labels", r#"{"a":"b"}"#)]),
    // A-14
    (&[], &[]),
    (&[], &[("spec template spec tolerations", "[]"), ("spec template spec containers 0 resources", "{}"), ("status active", "3")]),
    (&[], &[("metadata labels", "null")]),
    // A-41
    (NO_PREFIXED_LABELS, &[("spec parallelism", "3")]),
    (NO_PREFIXED_LABELS, &[("spec template metadata labels batch.kubernetes.io/job-name", r#""e""#)]),
    (NO_PREFIXED_LABELS, &[("spec selector", r#"{"matchLabels":{"controller-uid":"e"}}"#)]),
    // A-41, of a suspended Job
    (&[SUSPENDED], &[("spec template metadata labels job-name", "null")]),
    (&[SUSPENDED], &[("spec template metadata labels job-name", r#""e""#)]),
    (&[SUSPENDED], &[("spec template metadata labels controller-uid", "null")]),
    (&[SUSPENDED], &[("spec template metadata labels batch.kubernetes.io/job-name", "null")]),
    (&[SUSPENDED], &[("spec template metadata labels batch.kubernetes.io/job-name", r#""e""#)]),
    (&[SUSPENDED], &[("spec template metadata labels batch.kubernetes.io/controller-uid", "null")]),
    (&[SUSPENDED], &[("spec template metadata labels batch.kubernetes.io/controller-uid", r#""e""#)]),
    (&[SUSPENDED], &[("spec template metadata labels", "null")]),
    (&[SUSPENDED], &[MANUAL, ("spec template metadata labels job-name", "null")]),
    (&[SUSPENDED, MANUAL, ("spec template metadata labels job-name", "null")], &[("spec manualSelector", "false")]),
    (&[SUSPENDED], &[("spec selector matchLabels a", r#""b""#), ("spec template metadata labels a", r#""b""#)]),
    (&[("spec selector", "null")], &[]),
    (&[("metadata uid", r#""""#)], &[]),
    (&[("metadata uid", r#""""#), ("spec selector", "null")], &[]),
    (&[("metadata name", r#""""#)], &[]),
    // A-110
    (DELETED, &[("metadata finalizers", r#"["a/b","e/f","c/d"]"#)]),
    (DELETED, &[("metadata finalizers", "[]")]),
    // A-112
    (&[INDEXED, ("spec completions", "3")], &[("spec completions", "5"), ("spec parallelism", "5")]),
    (&[INDEXED, ("spec completions", "3")], &[("spec completions", "null"), ("spec parallelism", "2")]),
    (&[INDEXED, ("spec completions", "3")], &[("spec completions", "4"), ("spec completionMode", r#""NonIndexed""#)]),
    (&[], &[INDEXED, ("spec completions", "4"), ("spec parallelism", "4")]),
    // A-114, A-115, A-116
    (&[], &[("spec template metadata name", r#""a""#)]),
    (&[], &[SUSPENDED, ("spec template spec nodeSelector", r#"{"a":"b"}"#)]),
    (&[SUSPENDED], &[("spec suspend", "false"), ("spec template spec nodeSelector", r#"{"a":"b"}"#)]),
    (&[SUSPENDED], &[("spec template metadata name", r#""a""#), ("spec template metadata finalizers", r#"["a/b"]"#)]),
    (&[SUSPENDED], &[("spec template spec priorityClassName", r#""a""#)]),
    (
        &[SUSPENDED],
        &[("spec template spec containers 0 name", r#""a""#), ("spec template spec containers 0 resources", r#"{"limits":{"cpu":"1"}}"#)],
    ),
    (&[SUSPENDED, STARTED], &[("spec template spec tolerations", r#"[{"operator":"Exists"}]"#)]),
    (&[SUSPENDED, STARTED, HELD], &[("spec template spec tolerations", r#"[{"operator":"Exists"}]"#)]),
    (&[SUSPENDED, HELD, ("status active", "1")], &[("spec template spec schedulingGates", r#"[{"name":"a"}]"#)]),
    (&[SUSPENDED, ("spec template spec affinity", AFFINITY)], &[("spec template spec affinity", "null")]),
    (&[SUSPENDED, ("spec template spec affinity", AFFINITY)], &[("spec template spec affinity nodeAffinity", "null")]),
    (&[SUSPENDED, ("spec template spec affinity", AFFINITY)], &[("spec template spec affinity podAffinity", "null")]),
    (&[SUSPENDED], &[("spec template spec affinity", "{}")]),
    (
        &[("spec template spec containers 0 resources", r#"{"limits":{"cpu":"1000m"}}"#)],
        &[("spec template spec containers 0 resources limits cpu", r#""1""#)],
    ),
    // A-117
    (&[("spec selector", IMPOSSIBLE)], &[]),
    (
        &[("spec selector", IMPOSSIBLE), MANUAL],
        &[("spec selector", r#"{"matchExpressions":[{"key":"a","operator":"In","values":["a c"]}]}"#)],
    ),
    (&[], &[("spec selector", IMPOSSIBLE)]),
    (&[("spec selector", r#"{"matchLabels":{"a":"a b"}}"#)], &[]),
];

const NO_PREFIXED_LABELS: &[Edit<'static>] = &[
    ("spec template metadata labels", r#"{"controller-uid":"00000000-0000-0000-0000-000000000000","job-name":"pi"}"#),
    ("spec selector", r#"{"matchLabels":{"controller-uid":"00000000-0000-0000-0000-000000000000"}}"#),
];
const DELETED: &[Edit<'static>] = &[
    ("metadata deletionTimestamp", r#""2026-01-01T00:00:00Z""#),
    ("metadata deletionGracePeriodSeconds", "0"),
    ("metadata finalizers", r#"["a/b"]"#),
];
const STARTED: Edit<'static> = ("status startTime", r#""2026-01-01T00:00:00Z""#);
const HELD: Edit<'static> = ("status conditions", r#"[{"type":"Suspended","status":"True"}]"#);
const AFFINITY: &str = r#"{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[]},"podAffinity":{}}"#;
const IMPOSSIBLE: &str = r#"{"matchExpressions":[{"key":"controller-uid","operator":"In","values":["a b"]}]}"#;

/// Status writes: edits of a plain Job that is stored, and those of the request.
pub(super) const STATUS_WRITES: &[(&[Edit<'static>], &[Edit<'static>])] = &[
    // A-15
    (&[], &[("spec parallelism", "7"), ("metadata labels", r#"{"a":"b"}"#), ("metadata annotations", r#"{"a":"b"}"#)]),
    (&[("spec parallelism", "-7")], &[("status active", "1")]),
    (DELETED, &[("metadata finalizers", r#"["c/d"]"#)]),
    // A-121
    (&[], &[("status uncountedTerminatedPods", r#"{"succeeded":["a","","b","a"],"failed":["b","","c","c"]}"#)]),
    // A-126, A-145
    (&[STARTED, ENDED], &[("status startTime", r#""2026-01-03T00:00:00Z""#)]),
    (&[STARTED, ENDED], &[("status completionTime", r#""2026-01-03T00:00:00Z""#)]),
    (&[STARTED, ENDED], &[("status completionTime", "null")]),
    // A-128, A-141, A-147, A-148
    (
        &[STARTED, ENDED, COMPLETE],
        &[("status conditions", r#"[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]"#)],
    ),
    (&[STARTED, ENDED, COMPLETE], &[("status conditions", "[]")]),
    (
        &[STARTED, ENDED, COMPLETE],
        &[("status conditions", r#"[{"type":"Complete","status":"False"},{"type":"Complete","status":"True"}]"#)],
    ),
    (&[INDEXED, ("spec successPolicy", r#"{"rules":[{"succeededCount":1}]}"#)], &[STARTED, ENDED, COMPLETE]),
    // A-129, A-130, A-131, A-137
    (&[FAILED], &[("status active", "1"), ("status terminating", "1"), ("status uncountedTerminatedPods", r#"{"failed":["a"]}"#)]),
    (&[FAILED, ("status active", "1"), ("status terminating", "1")], &[("status active", "2"), ("status terminating", "0")]),
    (&[SUSPENDED, ("spec completions", "0")], &[FAILED]),
    (&[SUSPENDED, ("spec completions", "1")], &[FAILED]),
    // A-132 to A-136
    (&[INDEXED, BY_INDEX, FIVE], &[("status completedIndexes", r#""3,0-2""#), ("status failedIndexes", r#""1-2""#)]),
    (&[INDEXED, BY_INDEX, FIVE], &[("status completedIndexes", r#""0-2,2-4""#), ("status failedIndexes", r#""4""#)]),
    (&[INDEXED, BY_INDEX, FIVE], &[("status completedIndexes", r#""9,0""#), ("status failedIndexes", r#""0""#)]),
    (&[INDEXED, BY_INDEX, FIVE], &[("status completedIndexes", r#""0-1-2,3""#), ("status failedIndexes", r#""0-x,3""#)]),
    (&[INDEXED, BY_INDEX, FIVE], &[("status completedIndexes", r#""3,0-2,4""#), ("status failedIndexes", r#""0,4""#)]),
    (&[INDEXED, BY_INDEX, FIVE], &[("status completedIndexes", r#""3,0-4""#), ("status failedIndexes", r#""1-2,4""#)]),
    (&[INDEXED, BY_INDEX, FIVE, ("status failedIndexes", r#""1""#)], &[("status completedIndexes", r#""1""#)]),
    (
        &[("spec completions", "null"), ("spec parallelism", "2")],
        &[("status completedIndexes", r#""1""#), ("status failedIndexes", r#""1""#)],
    ),
    (
        &[("spec completions", "null"), ("spec parallelism", "2"), BY_INDEX],
        &[("status completedIndexes", r#""x""#), ("status failedIndexes", r#""y""#)],
    ),
    // A-144
    (&[INDEXED, FIVE, ("spec parallelism", "5"), ("status succeeded", "3")], &[("status succeeded", "2")]),
    (&[INDEXED, FIVE, ("spec parallelism", "4"), ("status succeeded", "3")], &[("status succeeded", "2")]),
    (&[FIVE, ("spec parallelism", "5"), ("status succeeded", "3")], &[("status succeeded", "2")]),
    // A-146
    (
        &[STARTED, HELD],
        &[("status startTime", r#""2026-01-03T00:00:00Z""#), ("status conditions", r#"[{"type":"Suspended","status":"False"}]"#)],
    ),
    (
        &[STARTED, HELD],
        &[("status startTime", r#""2026-01-03T00:00:00Z""#), ("status conditions", r#"[{"type":"Suspended","status":"Unknown"}]"#)],
    ),
    (&[STARTED], &[("status startTime", "null")]),
    (&[STARTED, SUSPENDED], &[("status startTime", "null")]),
];

const FIVE: Edit<'static> = ("spec completions", "5");
const ENDED: Edit<'static> = ("status completionTime", r#""2026-01-02T00:00:00Z""#);
const COMPLETE: Edit<'static> = ("status conditions", r#"[{"type":"Complete","status":"True"}]"#);
const FAILED: Edit<'static> = ("status conditions", r#"[{"type":"FailureTarget","status":"True"},{"type":"Failed","status":"True"}]"#);

/// Changes of what clients do not decide (A-110): edits of a plain Job that is stored, and those of the request.
pub(super) const SYSTEM_FIELDS: &[(&[Edit<'static>], &[Edit<'static>])] = &[
    (&[], &[("metadata creationTimestamp", r#""2020-01-01T00:00:00Z""#)]),
    (&[], &[("metadata creationTimestamp", "null")]),
    (&[], &[("metadata deletionTimestamp", r#""2020-01-01T00:00:00Z""#)]),
    (&[], &[("metadata deletionGracePeriodSeconds", "5")]),
    (&[], &[("metadata resourceVersion", "null")]),
    (&[], &[("metadata generation", "0")]),
    (&[], &[("metadata generation", "-7")]),
    (&[], &[("metadata generation", "7")]),
    (&[], &[("metadata uid", "null")]),
    (DELETED, &[("metadata deletionTimestamp", "null")]),
    (DELETED, &[("metadata deletionGracePeriodSeconds", "null")]),
    (DELETED, &[("metadata deletionGracePeriodSeconds", "5"), ("metadata finalizers", r#"["b","a/b"]"#)]),
];
