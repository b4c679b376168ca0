/**
 * Kubernetes Events on their way to the cluster: best effort, one after the other, without anything waiting for them.
 *
 * Docs: Kubernetes API Reference, "Event v1"; `crates/component/wit/controllers.wit`, `notice`.
 */
import type { Cluster } from './cluster.js';
import type { ApiResource, Command, Notice } from './types.js';

/** How many Events may wait; what comes beyond is dropped. */
const WAITING = 1000;

/** What records the Events of a loop. */
export class Notices {
  private readonly cluster: Cluster;
  private readonly apiVersions: Map<string, string>;
  private readonly waiting: Command[] = [];
  private recording = false;
  private recorded = 0n;

  constructor(cluster: Cluster, resources: ApiResource[]) {
    this.cluster = cluster;
    this.apiVersions = new Map(resources.map(({ kind, group, version }) => [kind, group ? `${group}/${version}` : version]));
  }

  /** Takes Events to record. */
  record(notices: Notice[]): void {
    this.waiting.push(...notices.slice(0, WAITING - this.waiting.length).map((notice) => this.creation(notice)));
    if (!this.recording) {
      void this.send();
    }
  }

  private async send(): Promise<void> {
    this.recording = true;
    for (let command = this.waiting.shift(); command; command = this.waiting.shift()) {
      try {
        await this.cluster.send(command);
      } catch {
        // An Event that cannot be recorded is lost.
      }
    }
    this.recording = false;
  }

  private creation({ regarding, reportingController, warning, reason, message }: Notice): Command {
    const { kind, namespace: own, name, uid } = regarding;
    const namespace = own || 'default';
    const now = new Date();
    const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
    const unique = BigInt(now.getTime()) * 1_000_000n + (this.recorded++ % 1_000_000n);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${unique.toString(16)}`, namespace },
      involvedObject: { apiVersion: this.apiVersions.get(kind), kind, namespace: own, name, uid },
      type: warning ? 'Warning' : 'Normal',
      reason,
      message,
      source: { component: reportingController },
      reportingComponent: reportingController,
      reportingInstance: '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
    const path = `/api/v1/namespaces/${namespace}/events`;
    return { method: 'post', path, contentType: 'json', body: JSON.stringify(event), tolerates: new Uint16Array() };
  }
}
