/** Kubernetes' Job, CronJob and TTL-after-finished controllers as a component: `Controllers` drives it, `Loop` drives a cluster with it. */
export { contentType, outcome, type Cluster, type List, type WatchEvent } from './cluster.js';
export { compile, coreModule, type ComponentBytes } from './component.js';
export { Controllers, type Configuration, type Explained, type ListOptions, type Options, type Resource } from './controllers.js';
export { ConfigError, ExplainError, Lost, Malformed, UsageError } from './errors.js';
export { type KubernetesObject } from './json.js';
export { Loop, type LoopOptions } from './loop.js';
export { sentence } from './sentences.js';
export { date, rfc3339, timestamp, type Time } from './timestamps.js';
export * from './types.js';
