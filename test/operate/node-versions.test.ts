import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start, until } from '../start/start-process.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

/** The oldest that is supported, and the newest of the two lines after it that were there when this was written. */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0'];
const folder = mkdtempSync(join(tmpdir(), 'node-versions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Node as npm has it: the package of its program for this system. @returns the path of the program */
function nodeOf(version: string): string {
  const at = join(folder, version);
  mkdirSync(at);
  const name = `node-${process.platform}-${process.arch}`;
  execFileSync('npm', ['install', '--prefix', at, '--no-save', '--prefer-offline', `${name}@${version}`]);
  return join(at, 'node_modules', name, 'bin/node');
}

it.each(VERSIONS)('Node %s migrates, serves, and charges an order', async (version) => {
  const node = nodeOf(version);
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`);
  const database = await cloneDatabase();
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'ab'.repeat(32), DATA_DIR: join(folder, version, 'data') };
  const started = start(env, { node, words: ['--demo'] });
  try {
    await started.running();
    const { url, body } = started.login();
    const headers = { 'content-type': 'application/json' };
    const { TokenAuth } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { TokenAuth: string };
    const ask = async <T>(path: string) => {
      const answer = await fetch(new URL(`/api/${path}`, url), { headers: { authorization: `Basic ${TokenAuth}` } });
      expect([path, answer.status]).toEqual([path, 200]);
      return (await answer.json()) as T;
    };
    // One of the demo's orders is due from the beginning.
    await until('it is charged', async () => (await ask<object[]>('Orders')).length > 0);
    const [order] = await ask<{ Total: number }[]>('Orders');
    expect(order!.Total).toBeGreaterThan(0);
  } finally {
    started.kill('SIGTERM');
  }
  expect(await started.exited).toBe(0);
  await dropDatabase(database);
});
