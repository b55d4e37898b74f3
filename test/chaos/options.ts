export interface ChaosOptions {
  readonly orders: number;
  readonly sites: number;
  /** Worker processes alive at once. */
  readonly workers: number;
  /** How long everything goes wrong. */
  readonly seconds: number;
  /** How long everything may take to come to rest afterwards. */
  readonly drainSeconds: number;
  /** To be reached within `seconds`: they set the pace. */
  readonly kills: number;
  readonly gatewayFaults: number;
  /** Of the sites that push: nothing paces them, so the number of orders has to suffice. */
  readonly pushes: number;
  readonly databaseCrashes: number;
  readonly requestsPerSecond: number;
  /** How often a shop changes or deletes its payment integration. */
  readonly integrationsPerMinute: number;
  /** Of one shop; nobody waits for so long. */
  readonly slowGatewaySeconds: number;
  /** Restores in place and promotions of a replica: each loses the last commits. */
  readonly restores: number;
  readonly deadSuccessors: number;
  readonly keyRotations: number;
  readonly fullDisks: number;
  readonly locksPerMinute: number;
  readonly schemaChangesPerMinute: number;
  /** Of each hundred workers so many reach the database through a pooler, where there is one. */
  readonly pooledPercent: number;
  /**
   * The clocks of the gateways and of the database may be so far off, both ways: by 2 at most, for the books of a run
   * with more cannot be judged.
   */
  readonly clockHours: number;
  /** The database's clock is moved, for some seconds each time. 0: it stays right. */
  readonly clockMovesPerMinute: number;
  /** Lists of the gateways may show a charge so late. */
  readonly latestListMilliseconds: number;
  /** In a storm so many of each hundred charges are held on their way, and most arrive after their time-out. */
  readonly heldPercent: number;
  /** Other software charges on the shops' accounts. */
  readonly foreignPaymentsPerMinute: number;
  /** Another installation charges on the shops' accounts. */
  readonly secondInstallationPerMinute: number;
  /** Refunds, voids and disputes of charges, made at the gateways. */
  readonly givenBackPerMinute: number;
  /** At the end of the storm lists may show a charge so late, while commits are lost once more. 0: that is left out. */
  readonly lateListSeconds: number;
  /** Of each hundred charges so many have a Process, Skip or Reschedule sent while they are in flight. */
  readonly aimedPercent: number;
}

const LARGE: ChaosOptions = {
  orders: 13_000,
  sites: 100,
  workers: 6,
  seconds: 300,
  drainSeconds: 1_200,
  kills: 300,
  gatewayFaults: 2_200,
  pushes: 10_000,
  databaseCrashes: 25,
  requestsPerSecond: 15,
  integrationsPerMinute: 30,
  slowGatewaySeconds: 30,
  restores: 22,
  deadSuccessors: 15,
  keyRotations: 3,
  fullDisks: 4,
  locksPerMinute: 20,
  schemaChangesPerMinute: 12,
  pooledPercent: 35,
  clockHours: 2,
  clockMovesPerMinute: 4,
  latestListMilliseconds: 1_000,
  heldPercent: 2,
  foreignPaymentsPerMinute: 60,
  secondInstallationPerMinute: 60,
  givenBackPerMinute: 60,
  lateListSeconds: 120,
  aimedPercent: 10,
};

const SMALL: ChaosOptions = {
  orders: 200,
  sites: 6,
  workers: 2,
  seconds: 15,
  drainSeconds: 120,
  kills: 5,
  gatewayFaults: 10,
  pushes: 80,
  databaseCrashes: 2,
  requestsPerSecond: 10,
  integrationsPerMinute: 40,
  slowGatewaySeconds: 2,
  restores: 2,
  deadSuccessors: 1,
  keyRotations: 1,
  fullDisks: 1,
  locksPerMinute: 30,
  schemaChangesPerMinute: 12,
  pooledPercent: 35,
  clockHours: 2,
  clockMovesPerMinute: 0,
  latestListMilliseconds: 1_000,
  heldPercent: 0,
  foreignPaymentsPerMinute: 30,
  secondInstallationPerMinute: 20,
  givenBackPerMinute: 0,
  lateListSeconds: 0,
  aimedPercent: 20,
};

/**
 * Each kind of fault once or twice, for `npm test`: the chance of the seed decides which way the database loses
 * commits.
 */
const SMALLEST: ChaosOptions = {
  ...SMALL,
  orders: 60,
  seconds: 5,
  kills: 2,
  gatewayFaults: 3,
  pushes: 20,
  databaseCrashes: 1,
  requestsPerSecond: 6,
  restores: 1,
};
const SIZES = { large: LARGE, small: SMALL, smallest: SMALLEST };

/** The environment may change each: CHAOS_ORDERS, CHAOS_SITES, CHAOS_WORKERS, CHAOS_SECONDS, … */
export function chaosOptions(size: keyof typeof SIZES): ChaosOptions {
  const entries = Object.entries(SIZES[size]).map(([name, value]: [string, number]) => {
    const variable = `CHAOS_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    const chosen = process.env[variable];
    if (chosen !== undefined && !/^\d+$/.test(chosen)) throw new RangeError(`${variable} is "${chosen}": no number.`);
    return [name, chosen === undefined ? value : Number(chosen)] as const;
  });
  return Object.fromEntries(entries) as unknown as ChaosOptions;
}
