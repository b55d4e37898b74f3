import { cpuOf } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios, valuesIn } from '../harness/rounds.mjs';
import { pushesPerSecond } from '../processor/commits.mjs';
import { measured, processByProduct } from '../processor/contenders.mjs';
import { connectShops, takeForOriginal, untilPushed, withDeadShop, withHttpReceiver } from '../processor/pushes.mjs';
import { OPEN } from '../processor/webhooks.mjs';
import { WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['19'];
export const title = 'Orders pushed into shops, and what that costs an order';

const SITES = 10;
const [ONE, BESIDE] = ['one shop alone', 'the same beside a dead one'];

export async function run(bench) {
  const orders = bench.pick({ usual: 12_000, smoke: 2_000 });
  const pushes = bench.pick({ usual: 3_000, smoke: 400 });
  const ofTwo = bench.pick({ usual: 1_000, smoke: 400 });
  const due = await filled(bench, 'shops', SITES, orders);
  const [few, two] = [await filled(bench, 'shops', SITES, pushes), await filled(bench, 'two_shops', 2, ofTwo)];
  return withHttpReceiver((receiver) =>
    withDeadShop(async (dead) => {
      const charged = await chargedFrom(bench, few, receiver, pushes);
      const apart = await chargedFrom(bench, two, receiver, ofTwo);
      const charging = (state) => () => chargedBeside(bench, due, orders, { receiver, state });
      const found = await interleave(
        {
          'no shop': charging(null),
          'shops that wait': charging('Unverified'),
          shops: charging('Ready'),
          pushes: () => pushed(bench, charged, { orders: pushes, receiver }),
          [ONE]: () => pushed(bench, apart, { orders: ofTwo, receiver, siteId: 1 }),
          [BESIDE]: () => pushed(bench, apart, { orders: ofTwo, receiver, siteId: 1, dead }),
        },
        bench.rounds,
        bench.progress,
      );
      for (const name of [charged, apart]) await bench.databases.drop(name);
      return judged(found);
    }),
  );
}

const filled = (bench, name, sites, orders) =>
  bench.databases.template(`${name}_${orders}`, (client) => fillShops(client, { sites, orders }));

/** All is charged, and waits for its shop. */
const chargedFrom = (bench, template, receiver, orders) =>
  bench.databases.derived(`charged_${template}`, template, (url) =>
    withClient(url, async (client) => {
      await connectShops(client, receiver.url, 'Unverified');
      await processByProduct(client, url, { orders, env: OPEN });
    }),
  );

/** Charges what is due, while it is pushed where the shops are `Ready`. */
async function chargedBeside(bench, due, orders, { receiver, state }) {
  const found = await measured(bench, due, { orders }, async (url, client) => {
    receiver.received.clear();
    if (state !== null) await connectShops(client, receiver.url, state);
    return processByProduct(client, url, { orders, env: OPEN });
  });
  const { size } = receiver.received;
  if (size > 0 !== (state === 'Ready')) throw new Error(`${size} Orders were received, with shops that are ${state}.`);
  return found;
}

/**
 * A worker finds so many Orders that are charged and not pushed. `siteId`: only this one of the two has a shop that
 * takes them; the other's is not verified or, where there is a `dead` one, that.
 */
async function pushed(bench, charged, { orders, receiver, siteId = null, dead = null }) {
  const before = dead?.requests();
  const rate = (client) => pushesPerSecond(client, siteId);
  const found = await measured(bench, charged, { orders, rate }, async (url, client) => {
    receiver.received.clear();
    await takeForOriginal(client);
    const isReady = dead === null ? 'site_id = coalesce($1, site_id)' : '$1::bigint IS NOT NULL';
    await client.query(`UPDATE site_shops SET state = 'Ready' WHERE ${isReady}`, [siteId]);
    if (dead !== null) await client.query('UPDATE sites SET url = $2 WHERE id <> $1', [siteId, dead.url]);
    const worker = new WorkerProcess(url, OPEN);
    try {
      await untilPushed(client, worker, siteId);
      return cpuOf(worker.pid);
    } finally {
      const stopped = worker.stop();
      dead?.hangUp();
      await stopped;
    }
  });
  const times = [...receiver.received.values()];
  const wanted = siteId === null ? orders : orders / 2;
  if (times.length !== wanted || times.some((one) => one !== 1))
    throw new Error(`Of ${wanted} Orders ${times.length} were received, some ${Math.max(...times)} times.`);
  if (dead?.requests() === before && dead !== null) throw new Error('The dead shop was sent nothing.');
  return found;
}

function judged(found) {
  const values = valuesIn(found);
  const without = values('no shop', 'walBytes');
  const extra = values('shops that wait', 'walBytes').map((bytes, round) => bytes - without[round]);
  const against = (name, other = 'no shop') => ratios(values(name, 'perSecond'), values(other, 'perSecond'));
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
      result(
        '19',
        'Pushes per second into a shop beside one that never answers, against alone',
        against(BESIDE, ONE),
        '>= 0.95',
      ),
      result('19', 'Log bytes per order for its push, until it is sent', extra, '<= 750'),
    ],
    figures: Object.keys(found).flatMap((name) => {
      const what = name.includes('shops') || name === 'no shop' ? 'order' : 'push';
      const rate = figure(
        '19',
        `${name}: ${what === 'push' ? 'pushes' : 'orders'} per second`,
        values(name, 'perSecond'),
        '1/s',
      );
      // Of the two shops only one gets its Orders: nothing else is a figure of a push there.
      if (name === ONE || name === BESIDE) return [rate];
      return [
        rate,
        figure('19', `${name}: log bytes per ${what}`, values(name, 'walBytes'), 'B'),
        figure('19', `${name}: CPU time of PostgreSQL per ${what}`, values(name, 'serverMicros'), 'µs'),
        figure('19', `${name}: CPU time of Node per ${what}`, values(name, 'nodeMicros'), 'µs'),
      ];
    }),
  };
}
