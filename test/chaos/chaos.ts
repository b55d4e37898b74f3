import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openDataSource } from '#libs/entities';
import { migrate } from '../../apps/cli/src/migrate/migrate.js';
import type { TestDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import type { Capture } from '../support/gateways/ledger.js';
import { poolOf } from '../support/postgres/pool-of.js';
import { Random, SEED } from '../support/random.js';
import { REFUSE_OTHER_TRANSITIONS } from '../support/transitions.js';
import { until } from '../support/until.js';
import { Accounts } from './accounts.js';
import { repeatedly, waitUnlessOver } from './actor.js';
import { auditAll } from './check-audit.js';
import { Cluster } from './cluster.js';
import { DatabaseClock, movedClock } from './database-clock.js';
import { fullDisk } from './disk.js';
import { History } from './history.js';
import { Keys } from './keys.js';
import { LateLists } from './late-lists.js';
import { leasesOfTheDead } from './leases.js';
import { locks } from './locks.js';
import { Merchants } from './merchants.js';
import type { ChaosOptions } from './options.js';
import { lateArrivalsAreOver, Person } from './person.js';
import { IS_A_PERSONS, Receivers, UNKNOWN_WAIT_MS } from './receivers.js';
import { type ChaosResult, judged } from './result.js';
import { schemaChanges } from './schema.js';
import { Shopkeepers } from './shopkeepers.js';
import { type FirstState, openShops, readFirst, type Shop } from './shops.js';
import { Stalls } from './stalls.js';
import { Supervisor } from './supervisor.js';
import { newTallies, type Tallies, Tally } from './tally.js';
import { Topology } from './topology.js';
import { clearUp, type StandIns, weather } from './weather.js';
import { Webhooks } from './webhooks.js';
import { Windows } from './windows.js';

const LEASE_MS = 1_500;
const GATEWAY_TIMEOUT_MS = 1_500;
/** Of actors, for the end: each waits for it. */
const MOST_WAITS = 200;
/** On a machine that has other things to do the numbers take longer to be reached: so many times as long. */
const LONGEST = 6;

/** So often it is looked whether all has come to rest: it takes the database more than what is looked for. */
const LOOK_MS = 500;

type Closings = (() => unknown)[];

/** Everything that takes part. */
interface Stage {
  readonly options: ChaosOptions;
  readonly random: (actor: string) => Random;
  readonly tallies: Tallies;
  readonly cluster: Cluster;
  readonly clock: DatabaseClock;
  readonly topology: Topology;
  readonly gateways: StandIns;
  readonly shops: readonly Shop[];
  readonly first: ReadonlyMap<number, FirstState>;
  readonly windows: Windows;
  readonly stalls: Stalls;
  readonly keys: Keys;
  readonly lists: LateLists;
  readonly accounts: Accounts;
  readonly supervisor: Supervisor;
  readonly merchants: Merchants;
  readonly shopkeepers: Shopkeepers;
  readonly webhooks: Webhooks;
  readonly receivers: Receivers;
}

/** Everything that can go wrong, all at once; then everything comes to rest, and is checked. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const closings: Closings = [];
  const end = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  try {
    const stage = await opened(options, closings);
    const chaos = await storm(stage);
    return { ...(await rest(stage, chaos, closings)), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function opened(options: ChaosOptions, closings: Closings): Promise<Stage> {
  const random = (actor: string) => new Random(SEED, actor);
  const tallies = newTallies();
  const clock = new DatabaseClock();
  closings.push(() => clock.remove());
  const cluster = await Cluster.start(random('postgres'), tallies.databaseCrashes, clock.env);
  closings.push(() => cluster.stop());
  const webhooks = await Webhooks.start(random('webhooks'), tallies.webhooks);
  closings.push(() => webhooks.stop());
  const receivers = new Receivers(random('receivers'), tallies.resolutions);
  closings.push(() => receivers.stop());
  const { shops, first, tested } = await prepared(cluster, options, webhooks, receivers);
  const gateways = { one: await StripeStandIn.start(), two: await AuthorizeNetStandIn.start() };
  closings.push(() => Promise.all([gateways.one.stop(), gateways.two.stop()]));
  const topology = new Topology(cluster, options.pooledPercent, tallies.routes, random('routes'));
  closings.push(() => topology.close());
  await topology.open(random, tallies.cuts);
  const [windows, stalls, keys] = [new Windows(), new Stalls(), new Keys()];
  const lists = new LateLists(options.latestListMilliseconds, options.lateListSeconds > 0);
  const accounts = new Accounts({ gateways, shops, first, tested, tallies, random });
  stalls.start();
  closings.push(() => stalls.stop());
  const lifeMs = (options.workers * options.seconds * 1_000) / options.kills;
  const supervisor = new Supervisor(
    {
      env: () => ({ ...environment(gateways, lists), ...topology.worker(), ENCRYPTION_KEY: keys.setting }),
      workers: options.workers,
      leaseMs: LEASE_MS,
      lifeMs,
    },
    tallies,
    random('supervisor'),
  );
  closings.push(() => supervisor.end());
  const urls = { GATEWAY_ONE_URL: gateways.one.url, GATEWAY_TWO_URL: gateways.two.url };
  const apiEnv = () => ({ ...topology.api(), ...urls, ENCRYPTION_KEY: keys.setting });
  const merchants = new Merchants(apiEnv, shops, random('merchants'), tallies.requests);
  closings.push(() => merchants.end());
  const shopkeepers = new Shopkeepers(
    merchants,
    gateways.one,
    shops,
    (siteId, work) => windows.outside(() => isCompared(cluster, siteId).then((is) => (is ? work() : undefined))),
    random('shopkeepers'),
    tallies.integrations,
  );
  return {
    options,
    random,
    tallies,
    cluster,
    clock,
    topology,
    gateways,
    shops,
    first,
    windows,
    stalls,
    keys,
    lists,
    accounts,
    supervisor,
    merchants,
    shopkeepers,
    webhooks,
    receivers,
  };
}

/** @returns how long it took, in seconds. */
async function storm(stage: Stage): Promise<number> {
  const { options, random, tallies, cluster, topology, gateways, lists, merchants, supervisor } = stage;
  await merchants.ready();
  topology.isCutting = true;
  const started = performance.now();
  const ending = new AbortController();
  const over = ending.signal;
  setMaxListeners(MOST_WAITS, over);
  const everyMs = (times: number) => (options.seconds * 1_000) / (times + 1);
  const lost = () => tallies.restores.total + tallies.promotions.total;
  const reached = () =>
    tallies.kills.total >= options.kills &&
    faultsOf(gateways).total >= options.gatewayFaults &&
    lost() >= options.restores;
  const env = () => ({ ENCRYPTION_KEY: stage.keys.setting });
  const hasHappened = () => {
    const seconds = elapsed(started);
    return seconds >= options.seconds && (reached() || seconds >= options.seconds * LONGEST);
  };
  let deadSuccessors = 0;
  await together(ending, [
    supervisor.run(over),
    merchants.run(options.requestsPerSecond, over),
    stage.shopkeepers.run(60_000 / options.integrationsPerMinute, over),
    weather(
      gateways,
      { ...options, slowMs: options.slowGatewaySeconds * 1_000, lists },
      tallies.skews,
      random('weather'),
      over,
    ),
    stage.receivers.run(over),
    leasesOfTheDead(cluster, () => supervisor.deaths(), over),
    ...stage.accounts.run(options, over),
    merchants.aim([gateways.one.ledger, gateways.two.ledger], options.aimedPercent, over),
    repeatedly(
      over,
      () => everyMs(options.databaseCrashes) * 0.95,
      () => (tallies.databaseCrashes.total < options.databaseCrashes ? cluster.crash() : undefined),
    ),
    repeatedly(
      over,
      () => everyMs(options.deadSuccessors),
      () => (deadSuccessors++ < options.deadSuccessors ? supervisor.deadSuccessor(over) : undefined),
    ),
    losses(stage, env, everyMs(options.restores), hasHappened, over),
    stage.keys.rotate(
      cluster,
      { times: options.keyRotations, everyMs: everyMs(options.keyRotations), restartApi: () => merchants.restart() },
      tallies.keyRotations,
      over,
    ),
    locks(cluster, 60_000 / options.locksPerMinute, tallies.locks, random('locks'), over),
    schemaChanges(cluster, 60_000 / options.schemaChangesPerMinute, env, tallies.schemaChanges, random('schema'), over),
    clockMoves(stage, over),
    fullDisk(cluster, options.fullDisks, everyMs(options.fullDisks), tallies.fullDisks, random('disk'), over),
    repeatedly(
      over,
      () => 100,
      () => {
        if (lists.isOver && hasHappened()) ending.abort();
      },
    ),
  ]);
  return elapsed(started);
}

const clockMoves = ({ options, clock, tallies, random }: Stage, over: AbortSignal): Promise<void> =>
  options.clockMovesPerMinute === 0
    ? Promise.resolve()
    : movedClock(
        clock,
        { clockHours: options.clockHours, everyMs: 60_000 / options.clockMovesPerMinute },
        tallies.databaseClocks,
        random('clock'),
        over,
      );

/** All through the storm, and once more at its end, while lists are late by minutes. */
async function losses(
  { cluster, windows, tallies, random, options, lists, supervisor }: Stage,
  env: () => Record<string, string>,
  everyMs: number,
  hasHappened: () => boolean,
  over: AbortSignal,
): Promise<void> {
  const { restores, promotions, lateLists: tally } = tallies;
  const history = new History({ cluster, windows, env, restores, promotions, random: random('history') });
  await history.run(options.restores, everyMs, over);
  if (lists.isOver) return;
  while (!hasHappened() && !over.aborted) await waitUnlessOver(100, over);
  const latestMs = options.lateListSeconds * 1_000;
  const lose = (signal: AbortSignal) => history.lose(signal);
  await lists.spell({ latestMs, renewWorkers: () => supervisor.renew(), lose, tally }, over);
}

/** All that was wrong is right again: everything has to come to an end. */
async function rest(stage: Stage, chaos: number, closings: Closings): Promise<Omit<ChaosResult, 'end'>> {
  const { options, tallies, cluster, topology, gateways, merchants, supervisor, random, accounts, receivers } = stage;
  topology.isCutting = false;
  clearUp(gateways, random('end'));
  await stage.shopkeepers.fixAll();
  await merchants.end();
  stage.webhooks.calm();
  const database = await connect(cluster.url);
  closings.push(() => database.dataSource.destroy());
  await receivers.release(database);
  supervisor.calm(2);
  const resting = performance.now();
  const { second, dashboards } = accounts;
  const all = () => [gateways.one, gateways.two].flatMap(({ ledger }) => ledger.charges);
  const ours = () => all().filter((charge) => !second.isOwn(charge));
  const theirs = () => all().filter(second.isOwn);
  const isGivenBack = ({ transactionId }: { transactionId: string }) =>
    dashboards.givenBack.some((one) => one.isWhole && one.transactionId === transactionId);
  const giveBack = (charge: Capture) => dashboards.refund(charge);
  const mayBeSettled = (transactionId: string) =>
    isGivenBack({ transactionId }) || theirs().some((one) => one.transactionId === transactionId);
  const person = new Person(database, { charges: ours, isGivenBack, giveBack, mayBeSettled }, tallies.resolutions);
  const settled = async () => {
    await person.settle();
    await lateArrivalsAreOver(database);
    await stage.webhooks.hasten(database);
    await receivers.hasten(database);
    if (!(await isOver(database, UNCHARGED))) return false;
    // In a short storm most Orders come only now.
    receivers.calm();
    const areTold = () => isOver(database, UNTOLD);
    return (
      (await areTold()) &&
      (await receivers.areReadAgain(database)) &&
      (await areTold()) &&
      (await isOver(database, UNCHARGED))
    );
  };
  const drained = await until(
    async () => (await settled()) || pause(LOOK_MS, false),
    options.drainSeconds * 1_000,
  ).then(
    () => true,
    () => false,
  );
  const drain = elapsed(resting);
  await supervisor.end();
  await auditAll(database, { ...environment(gateways, stage.lists), ENCRYPTION_KEY: stage.keys.setting });
  return judged({
    ...stage,
    database,
    captures: ours(),
    theirs: theirs(),
    givenBack: dashboards.givenBack,
    notCharged: person.notCharged,
    diary: merchants.diary,
    lost: stage.windows.lost,
    clockAheadMs: stage.clock.aheadMs,
    stalledMs: (fromMs, toMs) => stage.stalls.within(fromMs, toMs, supervisor.frozen),
    faults: [...supervisor.faults, ...merchants.faults, ...(drained ? [] : ['Not everything came to rest in time.'])],
    gatewayFaults: faultsOf(gateways),
    shopBooks: receivers.books,
    receiverFaults: receivers.faults,
    seconds: { chaos, drain, databaseDown: Math.round(cluster.downMs / 100) / 10 },
  });
}

/** When one of them fails, all end. */
async function together(ending: AbortController, actors: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.all(actors);
  } finally {
    ending.abort();
    await Promise.allSettled(actors);
  }
}

function faultsOf({ one, two }: StandIns): Tally {
  const tally = new Tally();
  for (const { faults } of [one, two]) for (const [fault, times] of faults.met) tally.add(fault, times);
  return tally;
}

async function prepared(cluster: Cluster, options: ChaosOptions, webhooks: Webhooks, receivers: Receivers) {
  const database = await connect(cluster.url);
  await migrate(database.dataSource);
  await database.query(REFUSE_OTHER_TRANSITIONS);
  const shops = await openShops(database, options);
  await webhooks.open(database, shops);
  await receivers.open(database, shops);
  const first = await readFirst(database);
  const [deployment] = await database.query<{ key_prefix: string }>(`SELECT key_prefix FROM deployment`);
  await database.dataSource.destroy();
  return { shops, first, tested: deployment!.key_prefix };
}

function environment({ one, two }: StandIns, lists: LateLists): Record<string, string> {
  return {
    LOG_FORMAT: 'text',
    GATEWAY_ONE_URL: one.url,
    GATEWAY_TWO_URL: two.url,
    GATEWAY_TIMEOUT: `PT${GATEWAY_TIMEOUT_MS / 1_000}S`,
    GATEWAY_LIST_LAG: lists.lag,
    CLAIM_LEASE: `PT${LEASE_MS / 1_000}S`,
    CLAIM_BATCH: '40',
    PROCESSOR_CRON: '* * * * * *',
    SHUTDOWN_GRACE: 'PT3S',
    OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1',
    PAYMENT_RETRY_SCHEDULE: 'PT1S,PT2S',
    TECHNICAL_RETRY_SCHEDULE: 'PT1S,PT1S,PT2S,PT2S,PT3S,PT3S',
    PUSH_RETRY_SCHEDULE: 'PT1S,PT1S,PT2S,PT2S,PT3S,PT3S',
    PUSH_UNKNOWN_WAIT: `PT${UNKNOWN_WAIT_MS / 1_000}S`,
  };
}

async function connect(url: string): Promise<TestDatabase> {
  const dataSource = await until(() =>
    openDataSource({ url, poolSize: 4, applicationName: 'chaos' }).catch(() => null),
  );
  return { url, dataSource, pool: poolOf(dataSource), query: (sql, parameters) => dataSource.query(sql, parameters) };
}

/** Whether the charges of a shop's integrations have been compared with the ledger since the last restore. */
async function isCompared(cluster: Cluster, siteId: number): Promise<boolean> {
  const row = await cluster.server.ask(
    `SELECT count(*) FILTER (WHERE d.generation > coalesce(r.generation, 0)) AS missing FROM payment_integrations i
     LEFT JOIN integration_reconciliations r ON r.payment_integration_id = i.id LEFT JOIN required_reconciliations d ON true
     WHERE i.site_id = ${siteId} AND i.deleted_utc IS NULL`,
  );
  return row?.missing === '0';
}

const UNCHARGED = `EXISTS (SELECT FROM processing_cycles WHERE open) OR EXISTS (SELECT FROM found_charges WHERE state = 'Unplaced')
  OR EXISTS (SELECT FROM scheduled_orders WHERE status = 'Active' AND deleted_utc IS NULL AND next_occurrence_utc <= now())`;
const UNTOLD = `EXISTS (SELECT FROM order_pushes WHERE next_attempt_utc IS NOT NULL OR ${IS_A_PERSONS})
  OR EXISTS (SELECT FROM webhook_deliveries WHERE state = 'Waiting')
  OR EXISTS (SELECT FROM outbox o, webhook_fan_out f WHERE o.sequence IS NULL OR o.sequence > f.sequence)`;

async function isOver(database: TestDatabase, going: typeof UNCHARGED | typeof UNTOLD): Promise<boolean> {
  const [row] = await database.query<{ goes_on: boolean }>(`SELECT ${going} AS goes_on`);
  return !row!.goes_on;
}

const elapsed = (since: number): number => Math.round((performance.now() - since) / 100) / 10;
