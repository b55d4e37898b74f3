import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { AddressRule, freePort, OutboundClient } from '#libs/platform';
import { type Push, type ShopOrder, type ShopReceiver, shopReceiver } from '#libs/shops';
import { onServer } from '../support/database.js';
import { machine } from '../support/machine.js';
import { Random, SEED } from '../support/random.js';
import { givenLine, givenProbe, givenPush, givenShop } from '../support/shops/index.js';
import { until } from '../support/until.js';

const FOLDER = 'integrations/vendure';
const PUSHES = Number(process.env.PUSHES ?? 100);
const KILLS = 3;
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const random = new Random(SEED, 'vendure');
const NAME = `vendure_${randomUUID().replaceAll('-', '')}`;

let port: number;
let url: string;
let shop: ChildProcess | undefined;
let receiver: ShopReceiver;

beforeAll(async () => {
  if (!existsSync(join(FOLDER, 'node_modules/@vendure/core')))
    throw new Error('Vendure is not installed: npm ci --ignore-scripts --prefix integrations/vendure');
  execFileSync('npm', ['run', '--silent', 'build', '--prefix', FOLDER], { stdio: 'inherit' });
  await onServer((server) => server.query(`CREATE DATABASE ${NAME}`));
  url = Object.assign(new URL(process.env.TEST_SERVER_URL!), { pathname: `/${NAME}` }).href;
  port = await freePort();
  const outbound = new OutboundClient(new AddressRule(['127.0.0.0/8']));
  receiver = shopReceiver(outbound, givenShop('Http', `http://127.0.0.1:${port}`, { secrets: [SECRET] }));
  await start('--populate');
});
afterAll(async () => {
  await kill();
  await onServer((server) => server.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`));
});

/** A real Vendure, until it listens. */
async function start(...options: string[]): Promise<void> {
  const env = { ...machine(), DATABASE_URL: url, PORT: String(port), SECRET };
  shop = spawn(process.execPath, ['--no-deprecation', join(FOLDER, 'shop/shop.mjs'), ...options], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  shop.stdout!.on('data', (data: Buffer) => (output += data.toString()));
  await until(() => {
    if (shop!.exitCode !== null) throw new Error(`Vendure ended: ${output}`);
    return output.includes('listens on port');
  }, 300_000);
}

async function kill(): Promise<void> {
  if (shop === undefined || shop.exitCode !== null || shop.signalCode !== null) return;
  shop.kill('SIGKILL');
  await once(shop, 'exit');
}

/** Totals that the shop's own rounding often misses by a cent, and now and then by more. */
function pushOf(at: number): Push {
  const quantity = 1 + random.below(5);
  const [net, tax, shipping] = [100 + random.below(9_900), random.below(900), random.pick([0, 500])];
  const decimal = (cents: number) => (cents / 100).toFixed(2);
  return givenPush({
    scheduledOrderId: at + 1,
    customer: { externalId: null, email: `customer${at % 7}@shop.example`, taxExempt: false },
    lines: [
      givenLine({ productExternalId: random.pick(['1', '2']), quantity, total: decimal(net), taxTotal: decimal(tax) }),
    ],
    ...{ subtotal: decimal(net), taxTotal: decimal(tax), shippingTotal: decimal(shipping) },
    total: decimal(net + tax + shipping),
  });
}

const OPTIONS = { taxDifference: 'Refuse', pushAnyway: false } as const;

/** As the ledger does: looked up, and sent again where nothing was found; three at once. */
async function pushed(push: Push): Promise<ShopOrder> {
  const create = async () => {
    const outcome = await receiver.create(push, OPTIONS);
    if (outcome.kind === 'refused' || outcome.kind === 'shopRefused') throw new Error(JSON.stringify(outcome));
    return outcome.kind === 'created' ? outcome.order : null;
  };
  return until(async () => {
    const orders = await Promise.all([create(), create(), create()]);
    return orders.find((order) => order !== null);
  }, 600_000);
}

it(`${PUSHES} pushes, each three times at once, with ${KILLS} kills in between: one order each, settled, to the cent`, async () => {
  const pushes = Array.from({ length: PUSHES }, (_, at) => pushOf(at));
  const killAt = new Set(Array.from({ length: KILLS }, (_, at) => Math.floor((PUSHES * (at + 1)) / (KILLS + 1))));
  for (const [at, push] of pushes.entries()) {
    const pushing = pushed(push);
    if (killAt.has(at)) {
      // Somewhere within it.
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 300)));
      await kill();
      await start();
    }
    const order = await pushing;
    expect(await receiver.settle(push, order, OPTIONS)).toMatchObject({ isPushed: true });
  }
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  const { rows } = await database.query<{ name: string; state: string; total: number; paid: number }>(
    `SELECT o."customFieldsPushname" AS name, o.state, (SELECT sum(p.amount)::int FROM payment p WHERE p."orderId" = o.id AND p.state = 'Settled') AS paid
     FROM "order" o ORDER BY o.id`,
  );
  await database.end();
  expect(rows.map(({ name }) => name).sort()).toEqual(pushes.map(({ name }) => name).sort());
  expect(rows.filter(({ state }) => state !== 'PaymentSettled')).toEqual([]);
  const paid = new Map(rows.map((row) => [row.name, row.paid]));
  expect(pushes.filter(({ name, total }) => paid.get(name) !== Number(String(total).replace('.', '')))).toEqual([]);
});

it('a look-up finds what is there; a variant that is not there is refused, and leaves nothing', async () => {
  const unknown = givenPush({ scheduledOrderId: PUSHES + 1, lines: [givenLine({ productExternalId: '999' })] });
  expect(await receiver.lookUp(unknown)).toEqual({ kind: 'found', orders: [] });
  expect(await receiver.create(unknown, { pushAnyway: false })).toMatchObject({ kind: 'refused' });
  expect(await receiver.lookUp(unknown)).toEqual({ kind: 'found', orders: [] });
  const push = givenPush({
    scheduledOrderId: PUSHES + 2,
    customer: { externalId: null, email: 'ada@shop.example', taxExempt: false },
    lines: [givenLine({ productExternalId: '1' })],
  });
  const order = await pushed(push);
  expect(await receiver.lookUp(push)).toEqual({ kind: 'found', orders: [order] });
});

it.each([
  [401, { 'webhook-signature': `v1,${'\u00e9'.repeat(44)}` }, '{}'],
  [413, {}, 'x'.repeat(2_000_000)],
])('answers %d to what nobody has signed as it must', async (status, headers, body) => {
  const signed = { 'webhook-id': 'a', 'webhook-timestamp': '1', ...headers };
  const post = { method: 'POST', headers: signed, body };
  expect((await fetch(`http://127.0.0.1:${port}/scheduled-orders/orders`, post)).status).toBe(status);
});

it('passes Verify', async () => {
  const { findings } = await receiver.verify(givenProbe());
  expect(findings.filter(({ agrees }) => !agrees)).toEqual([]);
});
