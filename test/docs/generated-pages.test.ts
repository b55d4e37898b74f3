import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { commandsPage } from '../support/docs/commands-page.js';
import { metricsPage } from '../support/docs/metrics-page.js';
import { startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
afterAll(stopWorkers);

/** `npm run pages` writes the page; otherwise it must be there, as it would be written. */
function expectPage(name: string, text: string): void {
  const prettier = ['node_modules/prettier/bin/prettier.cjs', '--stdin-filepath', name];
  const formatted = execFileSync(process.execPath, prettier, { input: text, encoding: 'utf8' });
  if (process.env.WRITE_PAGES === 'true') writeFileSync(name, formatted);
  expect(readFileSync(name, 'utf8')).toBe(formatted);
}

it('docs/commands.md is what the commands say of themselves (npm run pages)', async () => {
  const page = await commandsPage();
  expect(page).toContain('## cycles:stuck');
  expectPage('docs/commands.md', page);
});

it('docs/metrics.md is what a running API and a running worker answer (npm run pages)', async () => {
  const worker = await startWorker(database);
  const ofWorker = await (await fetch(`${worker.url}/metrics`)).text();
  const { body } = await api.request('GET', '/metrics');
  expect(ofWorker).toContain('scheduled_orders_due_age_seconds');
  expectPage('docs/metrics.md', metricsPage(body as string, ofWorker));
});
