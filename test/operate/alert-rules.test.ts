import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assertPrometheus, promtool } from '../support/monitoring/prometheus.js';
import { ALERTS_FILE, readAlerts, readQueries } from '../support/monitoring/queries.js';
import { ALERT_CASES, type AlertCase } from './alert-series.js';

/** When series are looked at, from their beginning. */
const AT = '100m';
const folder = mkdtempSync(join(tmpdir(), 'alert-rules-'));

beforeAll(assertPrometheus);
afterAll(() => rmSync(folder, { recursive: true }));

const written = (name: string, content: object): string => {
  const file = join(folder, name);
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(content));
  return file;
};

/**
 * Whether the alert fires when it should and only then, as `promtool test rules` evaluates the real rules, with their
 * real times.
 */
function tested(alert: string, { fires, quiet }: AlertCase): string {
  const firing = `group(ALERTS{alertname="${alert}",alertstate="firing"})`;
  const file = written(`${alert}.json`, {
    rule_files: [resolve(ALERTS_FILE)],
    evaluation_interval: '1m',
    tests: [fires, quiet].map((series) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
      promql_expr_test: [
        { expr: firing, eval_time: AT, exp_samples: series === fires ? [{ labels: '{}', value: 1 }] : [] },
      ],
    })),
  });
  const { status, output } = promtool('test', 'rules', file);
  return status === 0 ? 'as expected' : output;
}

it('promtool finds no fault in the configuration and in the rules', () => {
  for (const args of [
    ['check', 'config', 'deploy/prometheus/prometheus.yml'],
    ['check', 'rules', ALERTS_FILE],
  ])
    expect(promtool(...args)).toMatchObject({ status: 0 });
});

it('promtool finds no fault in the queries of the dashboard', () => {
  const rules = readQueries().map(({ expr }, n) => ({ record: `query_${n}`, expr }));
  expect(rules.length).toBeGreaterThan(60);
  expect(promtool('check', 'rules', written('queries.json', { groups: [{ name: 'all', rules }] }))).toMatchObject({
    status: 0,
  });
});

it('there are series for every alert', () => {
  expect(Object.keys(ALERT_CASES)).toEqual(readAlerts().map(({ alert }) => alert));
});

it.each(Object.entries(ALERT_CASES))('%s fires for what it is for, and not for what is well', (alert, one) => {
  expect(tested(alert, one)).toBe('as expected');
});
