import { readFileSync, writeFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { schemaMetrics } from '#libs/entities';
import { metricsPage, poolMetrics } from '#libs/platform';
import { Metrics } from '../apps/api/src/system/metrics.js';
import { createPool } from '../apps/worker/src/database/pool.js';
import { Metrics as WorkerMetrics } from '../apps/worker/src/metrics/metrics.js';
import { TEST_ENCRYPTION_KEY, useApi } from './support/api.js';
import { endApis, startApi } from './support/api-process.js';
import { useDatabase } from './support/database.js';
import { type Exposition, type Labels, parseExposition } from './support/monitoring/exposition.js';
import { readAlerts, readDashboard, readQueries } from './support/monitoring/queries.js';
import { type Matcher, parseQuery, type Selector } from './support/monitoring/selectors.js';
import { createWorker, startWorker, stopWorkers } from './support/worker.js';

const PAGE = 'docs/metrics.md';
/** Prometheus adds them to everything that it scrapes. */
const OF_TARGETS = ['job', 'instance'];
const ABOUT_TARGETS: Readonly<Record<string, readonly Labels[]>> = {
  up: [
    { job: 'scheduled-orders-api', instance: 'api:9464' },
    { job: 'scheduled-orders-worker', instance: 'worker-1:3001' },
  ],
};

const database = useDatabase();
const api = useApi(database);
let shown: Readonly<Record<'api' | 'worker', Exposition>>;
let series: ReadonlyMap<string, readonly Labels[]>;

const scraped = async (url: string) => parseExposition(await (await fetch(url)).text());

beforeAll(async () => {
  const env = { DATABASE_URL: database.url, METRICS_PORT: '0' };
  const [process, worker] = [startApi(env), await startWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY })];
  const url = await process.url();
  const [, metricsUrl] = /metrics are at (http:\S+\/metrics)\./.exec(process.output())!;
  const paths = ['/api/ScheduledOrders/1', '/api/ScheduledOrders/2?a=b', '/api/Events', '/nonsense/1', '/nonsense/2'];
  for (const path of ['/health/ready', '/console/', '/api/Site/1/Forecast', ...paths]) await fetch(url + path);
  shown = { api: await scraped(metricsUrl!), worker: await scraped(`${worker.url}/metrics`) };
  const withJob = ({ series }: Exposition, job: string) =>
    [...series].map(
      ([name, labelSets]) => [name, labelSets.map((labels) => ({ ...labels, job, instance: 'x:1' }))] as const,
    );
  const all = new Map<string, readonly Labels[]>(Object.entries(ABOUT_TARGETS));
  for (const [name, labelSets] of [
    ...withJob(shown.api, 'scheduled-orders-api'),
    ...withJob(shown.worker, 'scheduled-orders-worker'),
  ])
    all.set(name, [...(all.get(name) ?? []), ...labelSets]);
  series = all;
});

afterAll(async () => {
  endApis();
  await stopWorkers();
});

/**
 * Whether a series has the label that is matched, and one the value (or has it not, as is said). A status can be any.
 */
const isMet = ({ metric }: Selector, { label, operator, value }: Matcher): boolean => {
  const values = label === 'status' ? ['200', '404', '500'] : (series.get(metric) ?? []).map((labels) => labels[label]);
  const whole = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : null;
  return values.some((one) => one !== undefined && (whole?.test(one) ?? one === value));
};

describe('What the dashboard and the alerts ask for', () => {
  it.each(readQueries().map((query) => [query.source, query] as const))('is there: %s', (_source, { expr, texts }) => {
    const { selectors, groups } = parseQuery(expr);
    expect(selectors.length).toBeGreaterThan(0);
    const missing = selectors.filter(({ metric }) => !series.has(metric)).map(({ metric }) => metric);
    const unmet = selectors.flatMap((selector) =>
      selector.matchers
        .filter((matcher) => !isMet(selector, matcher))
        .map(({ label, operator, value }) => `${selector.metric}{${label}${operator}"${value}"}`),
    );
    const labels = new Set(
      selectors.flatMap(({ metric }) => (series.get(metric) ?? []).flatMap((labelSet) => Object.keys(labelSet))),
    );
    const inTexts = texts.flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!));
    const kept = groups.length === 0 ? labels : new Set([...groups]);
    expect({
      missing,
      unmet,
      groups: groups.filter((label) => !labels.has(label)),
      texts: inTexts.filter((label) => !kept.has(label) && !(groups.length === 0 && OF_TARGETS.includes(label))),
    }).toEqual({ missing: [], unmet: [], groups: [], texts: [] });
  });

  it('is more than a few queries, each panel has one, and nothing is asked for twice', () => {
    const panels = readDashboard().panels.filter(({ targets }) => targets !== undefined);
    expect(panels.length).toBeGreaterThan(30);
    const names = readAlerts().map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(25);
  });
});

it('every alert has a severity, says what to do, and has its own section in docs/alerts.md', () => {
  const sections = [...readFileSync('docs/alerts.md', 'utf8').matchAll(/^### (ScheduledOrders\w+)$/gm)].map(
    ([, name]) => name!,
  );
  const alerts = readAlerts();
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    for (const text of [annotations.summary, annotations.description]) expect(text).toMatch(/\S.*\.$/s);
  }
});

it('docs/alerts.md says which alerts no test causes in real processes', () => {
  const files = ['alerts-of-processes', 'alerts-of-orders'].map((name) => `test/operate/${name}.test.ts`);
  const causes = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const [, section] = readFileSync('docs/alerts.md', 'utf8').split('Caused by series alone:');
  const named = [...section!.matchAll(/^- `(ScheduledOrders\w+)`$/gm)].map(([, name]) => name);
  const uncaused = readAlerts().filter(({ alert }) => !causes.includes(`'${alert}'`));
  expect(named).toEqual(uncaused.map(({ alert }) => alert));
});

it('what the processes show is what docs/metrics.md says (npm run pages)', async () => {
  const made = createWorker(database);
  const page = await metricsPage([
    { name: 'API', registry: api.app.get(Metrics).register },
    { name: 'worker', registry: (await made.part(WorkerMetrics)).registry },
  ]);
  await made.end();
  if (process.env.WRITE_PAGES === 'true') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
  const node = [...page.matchAll(/^- (\w+): (.+)$/gm)].flatMap(([, type, names]) =>
    [...names!.matchAll(/`(\w+_\w+)`/g)].map(([, name]) => `${name} ${type}`),
  );
  const documented = (process: string) => {
    const ours = [...page.matchAll(/^- `(\S+)` \((\w+)[^;)\n]*(?:; ([^)]+))?\): /gm)]
      .filter(([, , , processes = 'worker']) => processes.split(', ').includes(process))
      .map(([, name, type]) => `${name} ${type}`);
    return [...ours, ...node].sort();
  };
  const real = ({ types }: Exposition) => [...types].map(([name, type]) => `${name} ${type}`).sort();
  expect([real(shown.api), real(shown.worker)]).toEqual([documented('API'), documented('worker')]);
});

it('no label has an id or a path as it was sent', () => {
  const routes = new Set(shown.api.series.get('http_request_duration_seconds_count')!.map(({ route }) => route));
  expect([...routes].sort()).toEqual(
    expect.arrayContaining(['/api/Events', '/api/Site/:siteId/Forecast', '/health/ready', 'none']),
  );
  for (const route of routes) expect(route).not.toMatch(/\d|nonsense|\?/);
});

it('a scrape answers while every connection is taken, and says that the process cannot work', async () => {
  const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
  const registry = new Registry();
  poolMetrics(registry, { main: pool });
  schemaMetrics(registry, pool, () => pool.execute('SELECT 1').then(() => null));
  const lineOf = async (name: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(name))[0];
  expect(await lineOf('scheduled_orders_ready')).toBe('scheduled_orders_ready 1');
  let letGo = () => {};
  const taken = pool.transaction(() => new Promise<void>((resolve) => (letGo = resolve)));
  expect(await lineOf('scheduled_orders_ready')).toBe('scheduled_orders_ready 0');
  expect(await lineOf('db_client_connection_pending_requests')).toMatch(/\} [12]$/);
  letGo();
  await taken;
  expect(await lineOf('scheduled_orders_ready')).toBe('scheduled_orders_ready 1');
  await pool.end();
});
