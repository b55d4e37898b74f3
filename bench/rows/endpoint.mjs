import { cpuOf } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios, valuesIn } from '../harness/rounds.mjs';
import { walPosition, walSince } from '../harness/wal.mjs';
import { measured } from '../processor/contenders.mjs';
import { listen, OPEN, untilDelivered, untilHandedOut, withReceiver } from '../processor/webhooks.mjs';
import { untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['17'];
export const title = 'What one webhook endpoint of every site costs an order';

const SITES = 10;
/** Few enough that all deliveries are sent in seconds, at the highest rate. */
const SENT_ORDERS = { usual: 1_000, smoke: 100 };
const HIGHEST_RATE = 100;

export async function run(bench) {
  const orders = bench.pick({ usual: 16_000, smoke: 2_000 });
  const template = await bench.databases.template(`shops_${orders}`, (client) =>
    fillShops(client, { sites: SITES, orders }),
  );
  const few = await bench.databases.template('few', (client) =>
    fillShops(client, { sites: SITES, orders: bench.pick(SENT_ORDERS) }),
  );
  return withReceiver(async (address) => {
    const without = async (url, client) => processed(url, client, orders);
    const one = async (url, client) => {
      await listen(client, address);
      return processed(url, client, orders, (worker) => untilHandedOut(client, worker));
    };
    const found = await interleave(
      {
        'no endpoint': () => measured(bench, template, { orders }, without),
        'one endpoint': () => measured(bench, template, { orders }, one),
      },
      bench.rounds,
      bench.progress,
    );
    const sent = await bench.databases.withClone(few, 'sent', (url) =>
      withClient(url, (client) => bytesOfSending(url, client, address)),
    );
    return judged(found, sent);
  });
}

function judged(found, sent) {
  const values = valuesIn(found);
  const without = values('no endpoint', 'walBytes');
  const extra = values('one endpoint', 'walBytes').map((bytes, round) => bytes - without[round]);
  return {
    results: [
      result(
        '17',
        'Due orders per second, every site with one endpoint that gets both events of an order, against none',
        ratios(values('one endpoint', 'perSecond'), values('no endpoint', 'perSecond')),
        '>= 0.9',
      ),
      result(
        '17',
        'Log bytes per order for its two events and their deliveries, until they are sent',
        extra,
        '<= 2800',
      ),
    ],
    figures: [
      figure('17', 'log bytes of sending one delivery', [sent], 'B'),
      ...Object.keys(found).flatMap((name) => [
        figure('17', `${name}: orders per second`, values(name, 'perSecond'), '1/s'),
        figure('17', `${name}: log bytes per order`, values(name, 'walBytes'), 'B'),
        figure('17', `${name}: CPU time of PostgreSQL per order`, values(name, 'serverMicros'), 'µs'),
        figure('17', `${name}: CPU time of Node per order`, values(name, 'nodeMicros'), 'µs'),
      ]),
    ],
  };
}

/** @returns the CPU time of the worker in ms; `then` is counted. */
async function processed(url, client, orders, then = () => undefined) {
  const worker = new WorkerProcess(url, OPEN);
  try {
    await untilCompleted(client, orders, [worker]);
    await then(worker);
    return cpuOf(worker.pid);
  } finally {
    await worker.stop();
  }
}

/**
 * What is logged of one delivery from when it was made to its end: it is claimed, its body is written down, and its
 * result.
 */
async function bytesOfSending(url, client, address) {
  await client.query(`UPDATE scheduled_orders SET status = 'Paused'`);
  await listen(client, address, { ratePerSecond: HIGHEST_RATE });
  const { rows } = await client.query(`WITH made AS (
      INSERT INTO outbox (site_id, scheduled_order_id, type, facts)
      SELECT site_id, id, 'scheduled_order.processed', '{"Cycle":1,"OrderId":1,"Amount":3206,"CurrencyIso":"USD"}' FROM scheduled_orders
      RETURNING 1
    ) SELECT count(*)::int AS count FROM made`);
  await client.query(`UPDATE webhook_endpoints SET not_before_utc = now() + interval '1 hour'`);
  const worker = new WorkerProcess(url, OPEN);
  try {
    await untilHandedOut(client, worker);
    const from = await walPosition(client);
    await client.query(`UPDATE webhook_endpoints SET not_before_utc = NULL, next_due_utc = now()`);
    await client.query(`NOTIFY scheduled_orders_events`);
    await untilDelivered(client, worker);
    return (await walSince(client, from)).bytes / rows[0].count;
  } finally {
    await worker.stop();
  }
}
