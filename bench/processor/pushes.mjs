import { lib } from '../harness/product.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';
import { until, withServer } from './webhooks.mjs';

/** Takes every Order. Runs `work` with its address, and how often each key has come. */
export function withHttpReceiver(work) {
  const received = new Map();
  const take = (request, reply, body) => {
    const key = request.headers['idempotency-key'];
    received.set(key, (received.get(key) ?? 0) + 1);
    const number = String(received.size);
    reply.writeHead(201, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ ExternalId: number, OrderNumber: number, Total: JSON.parse(body).Total }));
  };
  return withServer(take, (url) => work({ url, received }));
}

/**
 * Takes every connection and never answers. Runs `work` with its address, how many requests have come, and what ends
 * them, so that nobody waits for them any more.
 */
export function withDeadShop(work) {
  const sockets = [];
  const hangUp = () => sockets.forEach((socket) => socket.destroy());
  return withServer(
    ({ socket }) => sockets.push(socket),
    (url) => work({ url, requests: () => sockets.length, hangUp }),
  );
}

/** From now on the Orders of every site are to arrive at the receiver: at once where `state` is `Ready`. */
export async function connectShops(client, url, state) {
  const { Vault } = await lib('platform');
  const vault = Vault.fromSetting(ENCRYPTION_KEY);
  const { rows } = await client.query('UPDATE sites SET url = $1 RETURNING id', [url]);
  for (const { id } of rows) {
    const text = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const secret = vault.encrypt(text, { table: 'site_shops', column: 'secret', row: [id] });
    await client.query(
      `INSERT INTO site_shops (site_id, receiver, push, state, secret) VALUES ($1, 'Http', true, $2, $3)`,
      [id, state, secret],
    );
  }
}

/** A worker has worked with the database that this one was cloned from: here, too, it may. */
export const takeForOriginal = (client) =>
  client.query(
    'UPDATE deployment SET system_identifier = h.system_identifier, database_identity = h.database_identity FROM database_here() h',
  );

/** Every Order has arrived, or every one of a site. */
export const untilPushed = (client, worker, siteId = null) =>
  until(
    client,
    worker,
    `SELECT FROM order_pushes WHERE state <> 'Pushed' AND site_id = coalesce(${siteId}, site_id) LIMIT 1`,
  );
