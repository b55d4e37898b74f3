import type { Registry } from 'prom-client';

/** The metrics of a kind of process. */
export interface Metered {
  /** `API` */
  readonly name: string;
  readonly registry: Registry;
}

interface Documented {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly processes: string[];
}

const INTRODUCTION = `# Metrics

API and worker show their metrics at \`GET /metrics\`, for Prometheus: the worker on \`WORKER_PORT\`, the API on \`METRICS_PORT\`
([settings](settings.md)). [Alerts](alerts.md) says what to do when one fires. This page is made from the code (\`npm run pages\`).

- A **counter** only grows, from 0 at the start of its process. Ask for its increase: \`sum(rate(…[5m]))\`.
- A **gauge** goes up and down. Those of what waits (orders, cycles, integrations, endpoints, deliveries, events) describe the whole database without
  simulated sites: every worker shows the same, so take the \`max\`. Each scrape reads them. While the database does not answer within two seconds they
  keep their values, and \`scheduled_orders_ready\` is 0.
- A **histogram** also has \`…_bucket\` (label \`le\`), \`…_sum\` and \`…_count\`.
- No label has an id, a path as it was sent, or anything of a shop: routes, statuses, codes and outcomes are fixed lists.
- Where no process is named, it is the worker's.
`;

/** docs/metrics.md. */
export async function metricsPage(processes: readonly Metered[]): Promise<string> {
  const found = new Map<string, Documented>();
  for (const { name: process, registry } of processes)
    for (const metric of await described(registry)) {
      const known = found.get(metric.name) ?? metric;
      found.set(metric.name, known);
      known.processes.push(process);
    }
  const all = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const isNode = ({ name }: Documented) => /^(nodejs|process)_/.test(name);
  const ours = all.filter((metric) => !isNode(metric));
  const sections = [
    ...['HTTP requests and connections', 'Processing, webhooks and events'].map((title, n) =>
      section(
        title,
        ours.filter(({ name }) => name.startsWith('scheduled_orders_') === (n === 1)),
      ),
    ),
    nodeSection(all.filter(isNode)),
  ];
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

async function described(registry: Registry): Promise<Documented[]> {
  const types = new Map((await registry.getMetricsAsJSON()).map(({ name, type }) => [name, String(type)]));
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, labelNames = [] } = metric as unknown as { name: string; help: string; labelNames?: string[] };
    return { name, help, type: types.get(name)!, labels: [...labelNames], processes: [] };
  });
}

const section = (title: string, metrics: readonly Documented[]): string =>
  `## ${title}\n\n${metrics.map(entry).join('\n')}\n`;

const labelsOf = ({ labels }: Documented) =>
  labels.length === 0 ? '' : ` by ${labels.map((label) => `\`${label}\``).join(', ')}`;

const entry = (metric: Documented) => {
  const processes = metric.processes.join(', ');
  const kind = `${metric.type}${labelsOf(metric)}${processes === 'worker' ? '' : `; ${processes}`}`;
  return `- \`${metric.name}\` (${kind}): ${metric.help.replace(/\.?$/, '.')}`;
};

/** They are the library's, which explains them. */
const nodeSection = (metrics: readonly Documented[]): string => `## Node.js and the operating system

API and worker have the [default metrics of prom-client](https://github.com/siimon/prom-client#default-metrics):

${[...new Set(metrics.map(({ type }) => type))]
  .map((type) => {
    const ofType = metrics.filter((metric) => metric.type === type);
    return `- ${type}: ${ofType.map((metric) => `\`${metric.name}\`${labelsOf(metric)}`).join('; ')}`;
  })
  .join('\n')}
`;
