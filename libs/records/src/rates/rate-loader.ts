import type { SqlExecutor } from '#libs/platform';
import { type CompiledRates, placeKeys, type ShippingAddress } from '#libs/rules';
import { type CachedRates, RateCache } from './rate-cache.js';
import { RATE_VERSIONS, RATES_OF_PLACES, RATES_OF_SITES } from './rates.sql.js';
import { compiled, homeKeys, type RatesRow } from './rates-row.js';

export interface RateLimits {
  /** The rates of a site with more are never all read: only those of the places that orders ship to. */
  readonly site: number;
  /** The most rates that are read at once, unless they are of a single address. */
  readonly portion: number;
  /** The most rates that are kept from batch to batch. */
  readonly cached: number;
}

/** A rate needs about 1 kB while it is read, and half of that when compiled. */
const LIMITS: RateLimits = { site: 2_000, portion: 10_000, cached: 50_000 };

/** An order to price, and the place that it ships to. */
export interface Shipped {
  readonly siteId: number;
  readonly to: ShippingAddress;
}

/** The orders that are priced together, with their rates. The rates are dropped before the next portion is read. */
export interface Portion<T> {
  readonly orders: readonly T[];
  readonly rates: ReadonlyMap<number, CompiledRates>;
  /** The version of the rates of each site. */
  readonly versions: ReadonlyMap<number, string>;
}

/** A site at the beginning of a batch (`RATE_VERSIONS`). */
interface KnownSite {
  readonly version: string;
  /** Its present rates, or how many there are. */
  readonly rates: CachedRates | { readonly size: number };
}

/** What is known about each site at the beginning of a batch. */
export type RatesOfBatch = ReadonlyMap<number, KnownSite>;

/** The orders that ship to one address of a site. */
interface Stop<T> {
  readonly siteId: number;
  readonly keys: string;
  readonly orders: T[];
}

/**
 * The rates for a batch of orders. All rates of a site with few rates are read, once per version. Of a site with many,
 * only those of the places that the batch ships to are read. Only a portion of them is in memory at a time.
 */
export class RateLoader {
  constructor(
    private readonly database: SqlExecutor,
    private readonly limits: RateLimits = LIMITS,
    private readonly cache = new RateCache(limits.cached),
  ) {}

  /** The same, with the same cache, in a transaction. */
  within(database: SqlExecutor): RateLoader {
    return new RateLoader(database, this.limits, this.cache);
  }

  /** Checks whether the cached rates are still current: one statement, which may be sent together with others. */
  async begin(siteIds: readonly number[]): Promise<RatesOfBatch> {
    const cached = new Map(siteIds.map((siteId) => [siteId, this.cache.get(siteId)]));
    const known = siteIds.map((siteId) => cached.get(siteId)?.version ?? null);
    const rows = await this.database.execute<{ siteId: number; version: string; rates: number | null }>(RATE_VERSIONS, [
      siteIds,
      known,
      this.limits.site + 1,
    ]);
    return new Map(
      rows.map(({ siteId, version, rates }) => [
        siteId,
        { version, rates: rates === null ? cached.get(siteId)! : { size: rates } },
      ]),
    );
  }

  /**
   * Gives each of `shipped` once, in portions. Each portion has all rates of its sites that can match its addresses.
   */
  async *portions<T extends Shipped>(shipped: readonly T[], sites: RatesOfBatch): AsyncGenerator<Portion<T>> {
    const cached = { orders: [] as T[], rates: new Map<number, CompiledRates>(), versions: new Map<number, string>() };
    const [small, large]: [Site<T>[], T[]] = [[], []];
    for (const [siteId, orders] of groupBy(shipped, (one) => one.siteId)) {
      const known = sites.get(siteId)!.rates;
      if (!('version' in known)) {
        if (known.size <= this.limits.site) small.push({ siteId, size: known.size, orders });
        else large.push(...orders);
      } else if (known.rates === null) large.push(...orders);
      else {
        cached.orders.push(...orders);
        cached.rates.set(siteId, known.rates);
        cached.versions.set(siteId, known.version);
      }
    }
    if (cached.orders.length > 0) yield cached;
    for (const some of this.packed(small)) yield* this.sites(some);
    if (large.length > 0) yield* this.stops(stopsOf(large));
  }

  /** Divides groups into parts that are read together. */
  private packed<T>(sites: readonly Site<T>[]): Site<T>[][] {
    const groups: Site<T>[][] = [];
    let room = 0;
    for (const site of sites) {
      if (groups.length === 0 || site.size > room) {
        groups.push([]);
        room = this.limits.portion;
      }
      groups.at(-1)!.push(site);
      room -= site.size;
    }
    return groups;
  }

  /** Sites that have few rates, or had few when they were counted. */
  private async *sites<T extends Shipped>(sites: readonly Site<T>[]): AsyncGenerator<Portion<T>> {
    const siteIds = sites.map(({ siteId }) => siteId);
    const rows = await this.read(RATES_OF_SITES, siteIds, null, this.limits.portion);
    if (rows === null) {
      if (sites.length === 1) yield* this.stops(stopsOf(sites[0]!.orders));
      else for (const half of halves(sites)) yield* this.sites(half);
      return;
    }
    const rates = new Map<number, CompiledRates>();
    for (const row of rows) {
      const [siteId, size] = [row.siteId, (row.shippingRates?.length ?? 0) + (row.taxRates?.length ?? 0)];
      rates.set(siteId, compiled(row));
      this.cache.set(siteId, { version: row.version, rates: rates.get(siteId)!, size });
    }
    yield { orders: sites.flatMap(({ orders }) => orders), rates, versions: versionsOf(rows) };
  }

  /** Addresses of sites that have many rates. A single address is always read, even if many rates match. */
  private async *stops<T>(stops: readonly Stop<T>[]): AsyncGenerator<Portion<T>> {
    const keysOf = new Map<number, Set<string>>();
    for (const { siteId, keys } of stops) {
      const all = keysOf.get(siteId) ?? new Set(this.cache.get(siteId)?.home);
      keysOf.set(siteId, all);
      for (const key of keys.split('\n')) all.add(key);
    }
    const keys = [...keysOf.values()].map((all) => [...all].join('\n'));
    const most = stops.length === 1 ? null : this.limits.portion;
    const rows = await this.read(RATES_OF_PLACES, [...keysOf.keys()], keys, most);
    if (rows === null) {
      for (const half of halves(stops)) yield* this.stops(half);
      return;
    }
    const homes = rows.map((row) => ({ siteId: row.siteId, version: row.version, home: homeKeys(row) }));
    for (const { siteId, version, home } of homes) this.cache.set(siteId, { version, rates: null, size: 0, home });
    // The home of a shop is known only when its settings have been read.
    if (homes.some(({ siteId, home }) => home.some((key) => !keysOf.get(siteId)!.has(key)))) {
      yield* this.stops(stops);
      return;
    }
    yield {
      orders: stops.flatMap(({ orders }) => orders),
      rates: new Map(rows.map((row) => [row.siteId, compiled(row)])),
      versions: versionsOf(rows),
    };
  }

  /** Null when there are more than `most`. */
  private async read(
    text: string,
    siteIds: readonly number[],
    keys: readonly string[] | null,
    most: number | null,
  ): Promise<SiteRow[] | null> {
    const rows = await this.database.execute<SiteRow>(text, [siteIds, keys, most]);
    return rows.every(({ fits }) => fits) ? rows : null;
  }
}

interface Site<T> {
  readonly siteId: number;
  readonly size: number;
  readonly orders: T[];
}

interface SiteRow extends RatesRow {
  readonly siteId: number;
  readonly version: string;
  readonly fits: boolean;
}

const versionsOf = (rows: readonly SiteRow[]): Map<number, string> =>
  new Map(rows.map(({ siteId, version }) => [siteId, version]));

/** Sorted by site, so that the halves share few rates of a site. */
const stopsOf = <T extends Shipped>(shipped: readonly T[]): Stop<T>[] =>
  [...groupBy(shipped, (one) => one.siteId)].flatMap(([siteId, ofSite]) =>
    [...groupBy(ofSite, ({ to }) => placeKeys(to).join('\n'))].map(([keys, orders]) => ({ siteId, keys, orders })),
  );

function groupBy<K, T>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

const halves = <V>(values: readonly V[]): V[][] => {
  const middle = values.length >> 1;
  return [values.slice(0, middle), values.slice(middle)];
};
