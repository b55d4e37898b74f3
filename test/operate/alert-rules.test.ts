import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assertPrometheus, promtool } from '../support/monitoring/prometheus.js';
import { ALERTS_FILE, readAlerts, readQueries } from '../support/monitoring/queries.js';
import { ALERT_CASES } from './alert-series.js';

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

/** Whether the alert fires, as `promtool test rules` evaluates the real rules, with their real times. */
function tested(alert: string, series: Readonly<Record<string, string>>, at: string, fires: boolean): string {
  const expected = fires ? [{ labels: '{}', value: 1 }] : [];
  const file = written(`${alert}-${String(fires)}.json`, {
    rule_files: [resolve(ALERTS_FILE)],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        promql_expr_test: [
          {
            expr: `group(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: at,
            exp_samples: expected,
          },
        ],
      },
    ],
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
  const { fires, quiet, at = AT } = one;
  expect(tested(alert, fires, at, true)).toBe('as expected');
  expect(tested(alert, quiet, at, false)).toBe('as expected');
});
