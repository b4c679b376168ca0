/** The names of CronJobs and Jobs, as long as it takes to distinguish them. */

/** An object by its namespace and name. */
export interface Named {
  namespace: string;
  name: string;
}

/** How texts mention an object, perhaps with its namespace. */
const MENTIONED = /\b((?:cronjob|job|pod) (?:[a-z0-9-]+\/)?)([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/gi;

/** All CronJobs and Jobs of a play, and the namespaces in which something is. */
export class Names {
  private readonly objects = new Set<string>();
  private readonly namespaces = new Set<string>();

  /** A CronJob or Job is there. */
  add(kind: string, object: Named): void {
    this.objects.add(`${kind} ${key(object)}`);
    this.namespaces.add(object.namespace);
  }

  /** Something is in a namespace. */
  see(namespace: string): void {
    this.namespaces.add(namespace);
  }

  /** Whether there is more than one, so that texts have to name the one that is meant. */
  get several(): boolean {
    return this.objects.size > 1;
  }

  /** Has texts name these objects, and their pods, by numbers in the order in which they came. */
  numbered(): (text: string) => string {
    const numbers = new Map<string, string>();
    for (const object of this.objects) {
      const name = object.slice(object.indexOf('/') + 1);
      if (!numbers.has(name)) numbers.set(name, `#${numbers.size + 1}`);
    }
    return (text) => text.replace(MENTIONED, (whole, kind: string, name: string) => {
      const [, pod = ''] = /(-[a-z0-9]{5})$/.exec(name) ?? [];
      const [, indexed = ''] = /(-\d+-[a-z0-9]{5})$/.exec(name) ?? [];
      const end = ['', pod, indexed].find((one) => numbers.has(name.slice(0, name.length - one.length)));
      return end === undefined ? whole : `${kind}${numbers.get(name.slice(0, name.length - end.length))}${end}`;
    });
  }

  /** The name alone; with its namespace as soon as there is more than one. */
  of({ namespace, name }: Named): string {
    return this.namespaces.size > 1 ? `${namespace}/${name}` : name;
  }
}

/** Names of Jobs that are longer leave no room for what is said of them. */
const LONG = 24;

/** A name without its middle, if it is long. */
export function shortName(name: string): string {
  return name.length <= LONG ? name : `${name.slice(0, LONG - 9)}…${name.slice(-8)}`;
}

/** A text in which pods of Jobs with long names are called by what distinguishes them: `…-0-00001`; with the end of the Job's name if there are several Jobs. */
export function withShortPods(text: string, several: boolean): string {
  return text.replace(/\bpod (\S+?)-((?:\d+-)?[a-z0-9]{5})(?=[\s:,.]|$)/g, (whole, job: string, end: string) => (job.length <= LONG ? whole : `pod …${several ? job.slice(-8) : ''}-${end}`));
}

/** What distinguishes objects of one kind. */
export function key({ namespace, name }: Named): string {
  return `${namespace}/${name}`;
}

/** An object as a script names it: without a namespace, the one in the namespace `default` is meant. */
export function scripted(object: Named): string {
  return object.namespace === 'default' ? object.name : key(object);
}
