import { cpuOf } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios, valuesIn } from '../harness/rounds.mjs';
import { pushesPerSecond } from '../processor/commits.mjs';
import { measured, processByProduct } from '../processor/contenders.mjs';
import { connectShops, untilPushed, withHttpReceiver } from '../processor/pushes.mjs';
import { OPEN } from '../processor/webhooks.mjs';
import { WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['19'];
export const title = 'Orders pushed into shops, and what that costs an order';

const SITES = 10;

export async function run(bench) {
  const orders = bench.pick({ usual: 12_000, smoke: 2_000 });
  const pushes = bench.pick({ usual: 3_000, smoke: 400 });
  const filled = (count) =>
    bench.databases.template(`shops_${count}`, (client) => fillShops(client, { sites: SITES, orders: count }));
  const [due, few] = [await filled(orders), await filled(pushes)];
  return withHttpReceiver(async (receiver) => {
    const charged = await bench.databases.derived('charged', few, (url) =>
      withClient(url, async (client) => {
        await connectShops(client, receiver.url, 'Unverified');
        await processByProduct(client, url, { orders: pushes, env: OPEN });
      }),
    );
    const charging = (state) => () =>
      measured(bench, due, { orders }, async (url, client) => {
        receiver.received.clear();
        if (state !== null) await connectShops(client, receiver.url, state);
        return processByProduct(client, url, { orders, env: OPEN });
      });
    const found = await interleave(
      {
        'no shop': charging(null),
        'shops that wait': charging('Unverified'),
        shops: charging('Ready'),
        pushes: () => pushed(bench, charged, pushes, receiver),
      },
      bench.rounds,
      bench.progress,
    );
    await bench.databases.drop(charged);
    return judged(found);
  });
}

/** A worker finds so many Orders that are charged and not pushed. */
async function pushed(bench, charged, orders, receiver) {
  let perSecond = 0;
  const found = await measured(bench, charged, { orders }, async (url, client) => {
    receiver.received.clear();
    await client.query(`UPDATE site_shops SET state = 'Ready'`);
    const worker = new WorkerProcess(url, OPEN);
    try {
      await untilPushed(client, worker);
      perSecond = await pushesPerSecond(client);
      return cpuOf(worker.pid);
    } finally {
      await worker.stop();
    }
  });
  const times = [...receiver.received.values()];
  if (times.length !== orders || times.some((one) => one !== 1))
    throw new Error(`Of ${orders} Orders ${times.length} were received, some ${Math.max(...times)} times.`);
  return { ...found, perSecond };
}

function judged(found) {
  const values = valuesIn(found);
  const without = values('no shop', 'walBytes');
  const extra = values('shops that wait', 'walBytes').map((bytes, round) => bytes - without[round]);
  const against = (name) => ratios(values(name, 'perSecond'), values('no shop', 'perSecond'));
  return {
    results: [
      result('19', 'Pushes per second and worker into Http receivers', values('pushes', 'perSecond'), '>= 200'),
      result(
        '19',
        'Due orders per second, every site with a shop that waits to be verified, against none',
        against('shops that wait'),
        '>= 0.9',
      ),
      result('19', 'Due orders per second beside their pushes, against none', against('shops'), '>= 0.5'),
      result('19', 'Log bytes per order for its push, until it is sent', extra, '<= 750'),
    ],
    figures: Object.keys(found).flatMap((name) => {
      const what = name === 'pushes' ? 'push' : 'order';
      return [
        figure('19', `${name}: ${what === 'push' ? 'pushes' : 'orders'} per second`, values(name, 'perSecond'), '1/s'),
        figure('19', `${name}: log bytes per ${what}`, values(name, 'walBytes'), 'B'),
        figure('19', `${name}: CPU time of PostgreSQL per ${what}`, values(name, 'serverMicros'), 'µs'),
        figure('19', `${name}: CPU time of Node per ${what}`, values(name, 'nodeMicros'), 'µs'),
      ];
    }),
  };
}
