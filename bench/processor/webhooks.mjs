import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { lib } from '../harness/product.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';

/** What lets a worker send to the receiver. */
export const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1' };

const LIMIT_MS = 300_000;

/** Answers everything 204. Runs `work` with its address. */
export const withReceiver = (work) => withServer((_, reply) => reply.writeHead(204).end(), work);

/** `answer(request, reply, body)`: of every request. */
export async function withServer(answer, work) {
  const server = http.createServer(async (request, reply) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    answer(request, reply, Buffer.concat(parts).toString());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** One endpoint a site, for all types of events. */
export async function listen(client, address, { ratePerSecond = 10 } = {}) {
  const { Vault } = await lib('platform');
  const vault = Vault.fromSetting(ENCRYPTION_KEY);
  const { rows } = await client.query('UPDATE sites SET listens_since_utc = now() RETURNING id');
  for (const { id } of rows) {
    const text = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const secret = vault.encrypt(text, { table: 'webhook_endpoints', column: 'secret', row: [id] });
    await client.query(
      'INSERT INTO webhook_endpoints (id, site_id, url, secret, rate_per_second) VALUES ($1, $1, $2, $3, $4)',
      [id, address, secret, ratePerSecond],
    );
  }
}

/** Every event has its number and its delivery. */
export const untilHandedOut = (client, worker) =>
  until(
    client,
    worker,
    `SELECT FROM outbox o, webhook_fan_out f WHERE o.sequence IS NULL OR o.sequence > f.sequence LIMIT 1`,
  );

/** Every delivery was answered. */
export const untilDelivered = (client, worker) =>
  until(client, worker, `SELECT FROM webhook_deliveries WHERE state = 'Waiting' LIMIT 1`);

/** Waits until the statement finds nothing. */
export async function until(client, worker, whatIsLeft) {
  const deadline = performance.now() + LIMIT_MS;
  while ((await client.query(whatIsLeft)).rowCount > 0) {
    worker.requireHealthy();
    if (performance.now() > deadline) throw new Error(`Not all was worked off in time: ${whatIsLeft}`);
    await pause(100);
  }
}
