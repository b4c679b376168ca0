// Package controllers runs Kubernetes' Job, CronJob and TTL-after-finished controllers inside of a Go program: given events and the time, they
// return what to do and why. They are a WebAssembly component that imports nothing, so they do no IO and have no clock.
//
// [Controllers] is one instance of the component. [Loop] drives it on a [Cluster]; package httpcluster has one for an API server. The types and their
// documentation are those of the component's contract.
//
// Docs: README.md; [Manager] is the contract of all calls.
package controllers
