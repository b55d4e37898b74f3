import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withClient } from '../harness/database.mjs';
import { BENCH, lib, mainOf } from '../harness/product.mjs';
import { result } from '../harness/results.mjs';
import { interleave } from '../harness/rounds.mjs';
import { withService } from '../harness/service.mjs';
import { BODIES } from '../http/bodies.mjs';
import { merchantToken } from '../http/token.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['16'];
export const title = 'How long one body of 1 MiB holds up the event loop of an API';

/** A body is sent so often in a round; the longest block counts. */
const TIMES = 10;
/** Before the first round: what is compiled and loaded once is not measured. */
const WARMING = 5;

export async function run(bench) {
  const template = await bench.databases.template('bodies', (client) =>
    fillShops(client, { sites: 1, orders: 10, due: false }),
  );
  return bench.databases.withClone(template, 'one_body', async (url) => {
    const token = await withClient(url, merchantToken);
    const { freePort } = await lib('platform');
    const port = await freePort();
    const probe = pathToFileURL(join(BENCH, 'http', 'loop-probe.mjs')).href;
    const env = { RATE_LIMIT_PER_SECOND: '0', BENCH_PROBE_PORT: String(port) };
    const found = await withService(mainOf('api'), { url, env, args: ['--import', probe] }, (api) =>
      measure(bench, (body, times) => longestBlock(api.url, `http://127.0.0.1:${port}`, token, body, times)),
    );
    return {
      results: BODIES.map(({ name }) =>
        result('16', `1 MiB of ${name}: the longest block, in ms`, found[name], '<= 50'),
      ),
      figures: [],
    };
  });
}

async function measure(bench, blockOf) {
  for (const body of BODIES) await blockOf(body, WARMING);
  const contenders = BODIES.map((body) => [body.name, () => blockOf(body, TIMES)]);
  return interleave(Object.fromEntries(contenders), bench.rounds, bench.progress);
}

/** Sends a body `times` times, one after the other. @returns the longest time that the loop was held up, in ms */
async function longestBlock(url, probe, token, { name, status, body, isKept = false }, times) {
  let longest = 0;
  for (let time = 0; time < times; time++) {
    await (await fetch(probe)).text();
    const response = await fetch(`${url}/api/ScheduledOrders`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Basic ${token}`,
        'content-type': 'application/json',
        ...(isKept && { 'idempotency-key': randomUUID() }),
      },
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${name}: ${response.status} ${text.slice(0, 500)}`);
    longest = Math.max(longest, Number(await (await fetch(probe)).text()));
  }
  return longest;
}
