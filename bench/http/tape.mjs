import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH, PRODUCT } from '../harness/product.mjs';
import { withService } from '../harness/service.mjs';
import { bodyOf, ROUTES } from './routes.mjs';

/** The API before its modules and packages are joined to one file: `pg` can be tapped there. */
const API = join(PRODUCT, 'build', 'apps', 'api', 'src', 'main.js');

/**
 * The SQL by which the product answers each route, in order: the peer on raw Fastify executes the very same. A value
 * that came with the request, or out of an earlier statement, is noted as such:
 * `{ from: 'constant', value } | { from: 'id' } | { from: 'text' } | { from: 'made' }
 * | { from: 'row', step, column, key? }`.
 */
export async function recordTapes(url, scratch, token) {
  const file = join(scratch, 'tap.jsonl');
  const env = { BENCH_TAP: file, BENCH_PRODUCT_ROOT: PRODUCT };
  const args = ['--import', join(BENCH, 'http', 'tap.mjs')];
  const read = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return withService(API, { url, env, args }, async (service) => {
    const tapes = {};
    for (const [name, route] of Object.entries(ROUTES)) {
      const request = { id: 77, text: `Marked Street ${name}` };
      await send(service.url, route, request, token); // whatever happens only once is not on the tape
      await pause(100);
      rmSync(file, { force: true });
      const answer = await send(service.url, route, { ...request, text: `${request.text} 2` }, token);
      await pause(100);
      tapes[name] = tapeOf(read(), { ...request, text: `${request.text} 2` }, name === 'create' ? answer.Id : null);
    }
    return tapes;
  });
}

async function send(url, { method, path }, request, token) {
  const body = bodyOf(method, request);
  const response = await fetch(url + path(request), {
    method,
    headers: { authorization: `Basic ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body,
  });
  if (!response.ok)
    throw new Error(`${method} ${path(request)} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function tapeOf(statements, { id, text }, made) {
  return statements.map((statement, step) => ({
    text: statement.text,
    values: statement.values.map((value) => {
      if (made !== null && String(value) === String(made)) return { from: 'made' };
      if (String(value) === String(id)) return { from: 'id' };
      if (value === text) return { from: 'text' };
      return rowOf(statements.slice(0, step), id, value) ?? { from: 'constant', value };
    }),
  }));
}

/**
 * Of the texts that earlier statements gave, those that are no coincidence: snapshots, which are long, and what names
 * the customer. `key` is a field of a JSON column.
 */
function rowOf(earlier, id, value) {
  if (typeof value !== 'string' || (value.length < 200 && !value.includes(String(id)))) return null;
  for (const [step, { rows }] of earlier.entries()) {
    for (const [column, found] of Object.entries(rows[0] ?? {})) {
      if (found === value) return { from: 'row', step, column };
      const key = Object.keys(found ?? {}).find((name) => typeof found === 'object' && found[name] === value);
      if (key !== undefined) return { from: 'row', step, column, key };
    }
  }
  return null;
}
