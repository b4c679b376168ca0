/** Where a heading of the Kubernetes documentation is on the web. */

const PAGES: Record<string, string> = {
  Jobs: 'https://kubernetes.io/docs/concepts/workloads/controllers/job/',
  'Pod Lifecycle': 'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/',
};

/** The address of a heading; null for a page that is not known. */
export function address(page: string, heading: string): string | null {
  const base = PAGES[page];
  if (base === undefined) return null;
  const words = heading.toLowerCase().replace(/[^\w\s-]/g, '').trim().replace(/\s+/g, '-');
  return `${base}#${words}`;
}
