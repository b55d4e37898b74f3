import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { upcoming } from '#libs/rules';
import { anchorOf, ruleOf } from '../apps/cli/src/import/subscriptions/schedule.js';
import { bareEnvironment, cli, useCli } from './cli/run.js';
import { ALL_CASES, itInAllCases } from './support/all-cases.js';
import { useDatabase } from './support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from './support/gateways/index.js';
import { ChargeLedger } from './support/gateways/ledger.js';
import { assertInvariants } from './support/invariants.js';
import { type Gateways, type MovedShop, movedShop, movingEnvironment } from './support/shops/moved-shop.js';
import { type SourceSubscription, sourceSubscription } from './support/shops/source-shop.js';
import { drainOnce } from './support/worker.js';

/** Every kind of subscription comes again within 120. The large form: `npm run test:migration`. */
const SUBSCRIPTIONS = Number(process.env.MIGRATION_SUBSCRIPTIONS ?? (ALL_CASES ? 300 : 150));
const BATCH = Math.ceil(SUBSCRIPTIONS / 20);
const MAIN = join(__dirname, '../dist/apps/cli/src/main.js');

const database = useDatabase();
const here = useCli();
const gateways = {} as { -readonly [Name in keyof Gateways]: Gateways[Name] };

beforeAll(async () => {
  gateways.one = await StripeStandIn.start();
  gateways.two = await AuthorizeNetStandIn.start();
});
afterAll(() => Promise.all([gateways.one.stop(), gateways.two.stop()]));

/**
 * The stand-ins run in this process. When it is busy they may answer after seconds; with a shorter timeout,
 * subscriptions would be held and charges looked up later.
 */
const environment = () => ({ ...movingEnvironment(database, gateways), GATEWAY_TIMEOUT: 'PT30S' });
const commandBy =
  (run: typeof cli) =>
  (name: string, { siteId }: MovedShop, ...more: string[]) =>
    run([name, '--site', String(siteId), ...more], { env: environment() });
const command = commandBy(here);

/** Kills a go-live as soon as it has begun: many batches are left, however busy the machine is. */
async function killedGoLive({ siteId }: MovedShop): Promise<void> {
  const args = [MAIN, 'migration:go-live', '--site', String(siteId), '--batch', String(BATCH)];
  const child = spawn(process.execPath, args, { env: { ...bareEnvironment(), ...environment() } });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
    if (output.includes(' are live')) child.kill('SIGKILL');
  });
  await once(child, 'close');
}

/**
 * What is due next is processed today in its place: the schedule goes on from it, as after its own day. Each box has
 * seconds of its own, however fast they follow.
 */
async function nextBox({ siteId }: MovedShop, box: number): Promise<void> {
  await database.query(
    `UPDATE scheduled_orders SET replaced_occurrence_utc = next_occurrence_utc, next_occurrence_utc = now() - (60 - 10 * $2::int) * interval '1 second'
     WHERE site_id = $1 AND status = 'Active'`,
    [siteId, box],
  );
  await Promise.all([1, 2].map(() => drainOnce(database, environment())));
}

interface Stored {
  readonly source: number;
  readonly id: number;
  readonly state: string;
  readonly status: string;
  readonly next: Date;
  /** Of its newest cycle, for the message of a failure. */
  readonly cycle: string | null;
}

async function stored({ siteId }: MovedShop): Promise<ReadonlyMap<number, Stored>> {
  const rows = await database.query<Stored>(
    `SELECT m.source_id::int - 100000 AS source, o.id::int AS id, m.state, o.status, o.next_occurrence_utc AS next,
       (SELECT c.state || ' ' || coalesce(c.failure_message, '') FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1) AS cycle
     FROM migrated_subscriptions m JOIN scheduled_orders o ON o.id = m.scheduled_order_id WHERE m.site_id = $1`,
    [siteId],
  );
  return new Map(rows.map((row) => [row.source, row]));
}

it('expects dates of the shop that orders here keep, on whatever day it moves', () => {
  const days = Array.from({ length: 133 }, (_, index) => new Date(Date.UTC(2026, 0, 1 + 11 * index, 21, 13, 7)));
  // Each day has some of the 200, another day the others.
  const step = ALL_CASES ? 1 : 7;
  for (const [index, now] of days.entries()) {
    for (let number = 1 + (index % step); number <= 200; number += step) {
      const { cells, dates } = sourceSubscription(number, now);
      const [first] = dates;
      const rule = ruleOf(cells.billing_period!, cells.billing_interval!);
      const anchor = anchorOf(rule, first!);
      expect(upcoming({ rule, anchor, first: first!, replaced: null, now, count: dates.length })).toEqual(dates);
    }
  }
});

itInAllCases(
  'moves a shop: the next three boxes have its dates and amounts, and nobody is charged twice',
  async () => {
    const now = new Date();
    const all = Array.from({ length: SUBSCRIPTIONS }, (_, index) => sourceSubscription(index + 1, now));
    for (const { gateway, card, customer } of all) gateways[gateway].attach(card, customer);
    const exportedUtc = new Date(now.getTime() - 3_600_000);
    const shop = await movedShop(database, {
      rows: all.map(({ cells }) => cells),
      exportedUtc,
      gateways,
      run: here,
    });
    const count = (...statuses: string[]) => all.filter(({ status }) => statuses.includes(status)).length;
    expect(shop.imported.code).toBe(0);
    expect(JSON.parse(shop.imported.stdout)).toMatchObject({
      Created: count('active', 'on-hold'),
      LeftOut: { cancelled: count('cancelled'), expired: count('expired') },
      Refused: 0,
    });

    // The old shop goes on renewing a few, before the check and between check and go-live.
    const active = all.filter(({ status }) => status === 'active');
    const renew = ({ gateway, customer, card, total }: SourceSubscription) => {
      const account = gateway === 'one' ? shop.keyOfOne : shop.loginOfTwo;
      const amount = Math.round(Number(total) * 100);
      gateways[gateway].chargeElsewhere(account, { customer, card, amount, currency: 'EUR' });
    };
    const renewedBefore = active.filter((_, index) => index % 50 === 3);
    const renewedAfter = active.filter((_, index) => index % 50 === 4);
    const renewed = new Set([...renewedBefore, ...renewedAfter]);
    renewedBefore.forEach(renew);
    const checked = await command('migration:check', shop, '--json');
    expect({ code: checked.code, ...(JSON.parse(checked.stdout) as object) }).toMatchObject({
      code: 65,
      Passed: active.length - renewedBefore.length,
      Manual: count('on-hold'),
    });
    renewedAfter.forEach(renew);

    await killedGoLive(shop);
    await killedGoLive(shop);
    const stopped = [...(await stored(shop)).values()].filter(({ state }) => state === 'Passed');
    expect(stopped.length).toBeGreaterThan(0);
    await Promise.all([1, 2].map(() => commandBy(cli)('migration:go-live', shop, '--batch', String(BATCH))));
    await command('migration:go-live', shop);

    const before = await stored(shop);
    const wrong = active.filter((one) => {
      const { state, status, next } = before.get(one.number)!;
      const expected = renewed.has(one) ? ['Held', 'Paused'] : ['Live', 'Active'];
      return state !== expected[0] || status !== expected[1] || next.getTime() !== one.dates[0]!.getTime();
    });
    expect(wrong.slice(0, 5)).toEqual([]);

    // What the old shop renewed goes live on the date after.
    const ids = [...renewed].map(({ number }) => before.get(number)!.id).join(',');
    expect((await command('migration:resolve', shop, '--orders', ids, '--move-on')).code).toBe(0);
    expect((await command('migration:check', shop)).code).toBe(0);
    expect(JSON.parse((await command('migration:go-live', shop)).stdout)).toEqual({
      Live: renewed.size,
      Held: {},
      Left: 0,
    });
    expect(JSON.parse((await command('migration:go-live', shop)).stdout)).toEqual({ Live: 0, Held: {}, Left: 0 });

    for (let box = 0; box < 4; box += 1) {
      const orders = await stored(shop);
      const late = active.filter((one) => {
        const { next, status } = orders.get(one.number)!;
        return status !== 'Active' || next.getTime() !== one.dates[box + (renewed.has(one) ? 1 : 0)]!.getTime();
      });
      expect({ box, late: late.slice(0, 5).map((one) => ({ ...one, here: orders.get(one.number) })) }).toEqual({
        box,
        late: [],
      });
      if (box < 3) await nextBox(shop, box);
    }

    const books = new ChargeLedger();
    for (const charge of [...gateways.one.ledger.charges, ...gateways.two.ledger.charges]) books.add(charge);
    expect(books.doubles()).toEqual([]);
    expect(books.charges).toHaveLength(3 * active.length);
    expect(gateways.one.elsewhere.length + gateways.two.elsewhere.length).toBe(renewed.size);
    const taken = new Map<string, string[]>();
    for (const { gatewayCustomerId: customer, amount } of books.charges) {
      taken.set(customer, [...(taken.get(customer) ?? []), Number(amount).toFixed(2)]);
    }
    const wrongAmounts = all.filter(({ customer, total, status }) => {
      const expected = status === 'active' ? [total, total, total] : [];
      return JSON.stringify(taken.get(customer) ?? []) !== JSON.stringify(expected);
    });
    expect(wrongAmounts.slice(0, 5)).toEqual([]);
    await assertInvariants(database, books);
  },
  3_600_000,
);
