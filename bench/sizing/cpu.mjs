import { join } from 'node:path';
import { cpuOf, cpuOfServer } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { BENCH, mainOf } from '../harness/product.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { withService } from '../harness/service.mjs';
import { ROUTES } from '../http/routes.mjs';
import { merchantToken } from '../http/token.mjs';
import { allAnew, withWorkers } from '../processor/passes.mjs';
import { sizesOf } from '../rows/size.mjs';
import { fillShops } from '../shop/shop.mjs';

const NAMES = {
  get: 'GET of an order',
  page: 'GET of a page of 100 orders',
  create: 'POST of an order',
  update: 'PUT of an order',
};
const CONNECTIONS = 16;

/** The processor time of a due order, and of requests: of the database, and of the worker or the API. */
export const measureCpu = async (sizing) => [...(await ofOrders(sizing)), ...(await ofRequests(sizing))];

async function ofOrders(sizing) {
  const { databases, server } = sizing;
  const orders = sizing.pick({ usual: 20_000, smoke: 2_000 });
  const template = await databases.template('sizing_cpu', (client) => fillShops(client, { sites: 10, orders }));
  const measure = async (drain, pids) => {
    const node = () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
    const [serverFrom, nodeFrom] = [cpuOfServer(server.pid), node()];
    const perSecond = await drain();
    const micros = (ms) => (ms * 1_000) / orders;
    return { perSecond, server: micros(cpuOfServer(server.pid) - serverFrom), node: micros(node() - nodeFrom) };
  };
  const passes = await databases.withClone(template, 'cpu', (url) =>
    withWorkers(url, { count: 1, orders, fallDue: allAnew, measure }, async (pass) => {
      await pass(); // Node compiles what it runs often.
      const found = [];
      while (found.length < sizing.rounds) found.push(await pass());
      return found;
    }),
  );
  const values = (what) => passes.map((one) => one[what]);
  return [
    ['a due order: CPU time of PostgreSQL', values('server'), 'µs'],
    ['a due order: CPU time of the worker', values('node'), 'µs'],
    ['due orders per second, one worker', values('perSecond'), '1/s'],
  ];
}

async function ofRequests(sizing) {
  const { databases, server } = sizing;
  const orders = 5_000;
  const template = await databases.template('sizing_requests', (client) =>
    fillShops(client, { sites: 1, orders, due: false }),
  );
  const ids = Array.from({ length: orders }, (_, index) => index + 1);
  return databases.withClone(template, 'requests', async (url) => {
    const token = await withClient(url, merchantToken);
    return withService(mainOf('api'), { url, env: { RATE_LIMIT_PER_SECOND: '0' } }, async (api) => {
      const found = [];
      const logs = () => withClient(url, async (client) => (await sizesOf(client)).get('action_logs'));
      for (const route of Object.keys(ROUTES)) {
        const ask = (seconds) =>
          loaded({ url: api.url, token, route, ids, seconds, warmup: 0, connections: CONNECTIONS });
        await ask(sizing.pick({ usual: 4, smoke: 0.5 }));
        const rounds = [];
        let bytes = await logs();
        while (rounds.length < sizing.rounds) {
          const [serverFrom, nodeFrom] = [cpuOfServer(server.pid), cpuOf(api.pid)];
          const { served } = await ask(sizing.pick({ usual: 4, smoke: 0.5 }));
          const micros = (ms) => (ms * 1_000) / served;
          const cpu = { server: micros(cpuOfServer(server.pid) - serverFrom), node: micros(cpuOf(api.pid) - nodeFrom) };
          const before = bytes;
          bytes = await logs();
          rounds.push({ ...cpu, logged: (bytes - before) / served });
        }
        const values = (what) => rounds.map((one) => one[what]);
        found.push(
          [`${NAMES[route]}: CPU time of PostgreSQL`, values('server'), 'µs'],
          [`${NAMES[route]}: CPU time of the API`, values('node'), 'µs'],
        );
        if (ROUTES[route].adds.action_logs > 0)
          found.push([`${NAMES[route]}: bytes in the action log`, values('logged'), 'B']);
      }
      return found;
    });
  });
}

async function loaded(options) {
  const measured = JSON.parse(
    await runToEnd(process.execPath, [join(BENCH, 'http', 'load.mjs'), JSON.stringify(options)]),
  );
  if (measured.failed > 0) throw new Error(`${measured.failed} requests were answered wrongly or not at all.`);
  return measured;
}
