import { cli } from '../cli/run.js';
import type { TestDatabase } from '../support/database.js';
import { type Capture, ChargeLedger } from '../support/gateways/ledger.js';
import { SEED } from '../support/random.js';
import { checkLedger, type Find, type Finding, storyOf } from './check.js';
import { checkAudit } from './check-audit.js';
import { checkBooks } from './check-books.js';
import { checkExplained } from './check-explained.js';
import { type NotCharged, setAside } from './check-given-back.js';
import { checkPushes, orderOf, type ShopBooks } from './check-pushes.js';
import { checkRequests } from './check-requests.js';
import { checkSecond } from './check-second.js';
import { checkForgotten, checkStopped } from './check-stopped.js';
import { checkWebhooks } from './check-webhooks.js';
import type { GivenBack } from './dashboards.js';
import type { Diary } from './diary.js';
import type { ClockAheadMs } from './licences.js';
import type { ChaosOptions } from './options.js';
import type { ChaosReport } from './report.js';
import type { FirstState, Shop } from './shops.js';
import { type Tallies, Tally } from './tally.js';
import type { Webhooks } from './webhooks.js';
import type { Lost } from './windows.js';

const STORIES = 5;

export interface ChaosResult {
  readonly report: ChaosReport;
  readonly findings: readonly Finding[];
  /** Of the first orders that something was found about. */
  readonly stories: readonly object[];
  /** Processes that did what they never should. */
  readonly faults: readonly string[];
  readonly database: TestDatabase;
  /** Without the charges that need no Order. */
  readonly books: ChargeLedger;
  end(): Promise<void>;
}

export interface Outcome {
  readonly options: ChaosOptions;
  readonly tallies: Tallies;
  readonly database: TestDatabase;
  /** All that this installation has charged, and what another one has. */
  readonly captures: readonly Capture[];
  readonly theirs: readonly Capture[];
  readonly givenBack: readonly GivenBack[];
  readonly notCharged: readonly NotCharged[];
  readonly shops: readonly Shop[];
  readonly first: ReadonlyMap<number, FirstState>;
  readonly diary: Diary;
  readonly lost: readonly Lost[];
  readonly webhooks: Webhooks;
  readonly stalledMs: (fromMs: number, toMs: number) => number;
  readonly clockAheadMs: ClockAheadMs;
  readonly faults: readonly string[];
  readonly gatewayFaults: Tally;
  readonly shopBooks: readonly ShopBooks[];
  readonly receiverFaults: Tally;
  readonly seconds: ChaosReport['seconds'];
}

/** What came of it all. */
export async function judged(outcome: Outcome): Promise<Omit<ChaosResult, 'end'>> {
  const { options, tallies, database, shops, diary, lost, faults, seconds } = outcome;
  const findings: Finding[] = [];
  const find: Find = (kind, scheduledOrderId, what) =>
    findings.push({ kind, what, scheduledOrderId: Number(scheduledOrderId) });
  const shopOf = new Map(shops.flatMap((shop) => shop.orderIds.map((id) => [id, shop] as const)));
  const { aside, standing: captures } = await setAside(database, { ...outcome, find });
  const parts = { ...outcome, aside, captures, shopOf, find, reasons: new Tally() };
  await checkLedger(database, captures, find);
  await checkForgotten(database, parts);
  await checkStopped(database, parts);
  await checkRequests(database, captures, parts);
  await checkSecond(database, outcome.theirs, outcome.first, find);
  await checkAudit(database, parts);
  await checkDatabase(database, find);
  await checkExplained(database, find);
  await checkWebhooks(database, outcome.webhooks, lost, find);
  await checkPushes(database, parts);
  const { mostCharges, amountsUnjudged } = checkBooks(parts);
  const orderIds = [...new Set(findings.map(({ scheduledOrderId }) => scheduledOrderId))].slice(0, STORIES);
  const stories = orderIds.map(async (id) => ({
    ...(await storyOf(database, [...outcome.captures, ...outcome.theirs], id)),
    givenBack: outcome.givenBack.filter(({ transactionId }) =>
      outcome.captures.some((one) => one.scheduledOrderId === id && one.transactionId === transactionId),
    ),
    requests: diary.requestsFor(id).map((one) => ({ ...one, sent: new Date(one.sentMs) })),
    inShop: outcome.shopBooks
      .flatMap(({ orders }) => orders)
      .filter(({ name }) => name !== null && orderOf(name) === id),
    lost: lost.map(({ fromMs, toMs }) => [new Date(fromMs), new Date(toMs)]),
  }));
  return {
    database,
    books: booksOf(captures),
    findings,
    stories: await Promise.all(stories),
    faults,
    report: {
      seed: SEED,
      orders: options.orders,
      ...tallies,
      gatewayFaults: outcome.gatewayFaults,
      receiverFaults: outcome.receiverFaults,
      cycles: await byState(database, 'processing_cycles'),
      pushes: await byState(database, 'order_pushes'),
      twinsRemoved: outcome.shopBooks.flatMap(({ orders }) => orders).filter(({ is }) => is === 'deleted').length,
      stopped: parts.reasons,
      charges: outcome.captures.length,
      mostCharges,
      amountsUnjudged,
      doubles: findings.filter(({ kind }) => kind === 'double').length,
      losses: findings.filter(({ kind }) => kind === 'loss').length,
      seconds,
    },
  };
}

function booksOf(captures: readonly Capture[]): ChargeLedger {
  const books = new ChargeLedger();
  for (const capture of captures) books.add(capture);
  return books;
}

/** Foreign keys of what every cycle writes are not checked with the write. */
async function checkDatabase({ url }: TestDatabase, find: Find): Promise<void> {
  const { code, stdout, stderr } = await cli(['check:database'], { env: { DATABASE_URL: url } });
  if (code !== 0) find('other', 0, `check:database: ${stderr} ${stdout.slice(0, 1_000)}`);
}

async function byState(database: TestDatabase, table: 'processing_cycles' | 'order_pushes'): Promise<Tally> {
  const tally = new Tally();
  const rows = await database.query<{ state: string; count: string }>(
    `SELECT state, count(*) FROM ${table} GROUP BY state`,
  );
  for (const { state, count: n } of rows) tally.add(state, Number(n));
  return tally;
}
