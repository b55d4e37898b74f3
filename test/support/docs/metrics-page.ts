const HELP = /^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm;
/** Of every process that prom-client measures. */
const OF_NODE = /^(process|nodejs)_/;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
}

const metricsIn = (exposed: string): Metric[] =>
  [...exposed.matchAll(HELP)]
    .map(([, name, help, type]) => ({ name: name!, help: help!, type: type! }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

function table(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help.replaceAll('|', '\\|')} |`);
  return ['| Metric | Type | Means |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The page docs/metrics.md: what a real API and a real worker answer at /metrics. */
export function metricsPage(api: string, worker: string): string {
  const ours = (exposed: string) => metricsIn(exposed).filter(({ name }) => !OF_NODE.test(name));
  const ofNode = metricsIn(worker).filter(({ name }) => OF_NODE.test(name));
  return `# Metrics

What \`GET /metrics\` answers, for Prometheus. This page is made from the answers of a running API and a running worker (\`npm run pages\`). Where they are served, and which
of them need an alarm: [Watching](operations.md#watching).

## Of the API

${table(ours(api))}

## Of a worker

${table(ours(worker))}

## Of both processes

${table(ofNode)}
`;
}
