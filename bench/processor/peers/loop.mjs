/**
 * No queue at all: a loop that keeps `IN_FLIGHT` orders under way.
 * `node loop.mjs URL IN_FLIGHT CONNECTIONS GATEWAY_URL GATEWAY_CONCURRENCY`.
 */
import pg from 'pg';
import { OrderFunction } from '../order-function.mjs';

const [, , url, inFlight, connections, gatewayUrl, gatewayConcurrency] = process.argv;
const order = await OrderFunction.create({
  url,
  connections: Number(connections),
  gatewayUrl,
  gatewayConcurrency: Number(gatewayConcurrency),
});
const client = new pg.Client({ connectionString: url });
await client.connect();
const { rows } = await client.query(
  `SELECT id FROM scheduled_orders WHERE status = 'Active' AND deleted_utc IS NULL AND next_occurrence_utc <= now() ORDER BY next_occurrence_utc, id`,
);
await client.end();
let next = 0;
const lane = async () => {
  while (next < rows.length) await order.process(rows[next++].id);
};
await Promise.all(Array.from({ length: Number(inFlight) }, lane));
await order.close();
console.log('done');
