import { withClient } from '../harness/database.mjs';
import { fillShops } from '../shop/shop.mjs';
import { fingerprint } from './check.mjs';
import { byLimit, enqueue, processByProduct, workOff, workOffInSets } from './contenders.mjs';
import { OrderFunction } from './order-function.mjs';

/**
 * Before anything is timed: all contenders write the same rows for the same orders. @throws Error naming the table that
 * differs.
 */
export async function requireSameWork(bench, { peers, limited, orders = 1_000 }) {
  const template = await bench.databases.template('sample', (client) => fillShops(client, { sites: 10, orders }));
  const works = {
    product: (url, client) => processByProduct(client, url, { orders }),
    ...(limited && { limit: byLimit(bench, orders, { batch: 100 }) }),
    'one order at a time': processOneByOne,
    ...Object.fromEntries(
      peers.map((peer) => [peer, (url) => enqueue(peer, url, orders).then(() => workOff(peer, url, orders))]),
    ),
    ...(peers.includes('pg-boss') && {
      'pg-boss in sets': (url) => enqueue('pg-boss', url, orders).then(() => workOffInSets(url, orders)),
    }),
  };
  let expected = null;
  for (const [name, work] of Object.entries(works)) {
    const written = await bench.databases.withClone(template, 'round', (url) =>
      withClient(url, async (client) => {
        await work(url, client);
        return fingerprint(client);
      }),
    );
    expected ??= written;
    for (const table of Object.keys(expected)) {
      const [ours, theirs] = [expected[table], written[table]].map((value) => JSON.stringify(value));
      if (ours !== theirs)
        throw new Error(`${name} did not write the same ${table} as the product: ${theirs}, not ${ours}.`);
    }
  }
  await bench.databases.drop('sample');
}

/** What the handlers of the queues do, without a queue. */
async function processOneByOne(url, client) {
  const { rows } = await client.query(`SELECT id FROM scheduled_orders WHERE next_occurrence_utc <= now()`);
  const orderFunction = await OrderFunction.create({ url, connections: 1 });
  try {
    for (const { id } of rows) await orderFunction.process(id);
  } finally {
    await orderFunction.close();
  }
}
