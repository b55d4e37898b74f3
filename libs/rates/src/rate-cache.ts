import type { CompiledRates } from '#libs/rules';

/** A site's rates at one version; null where they are too many to be kept. */
export interface CachedRates {
  readonly version: string;
  readonly rates: CompiledRates | null;
  /** How many. */
  readonly size: number;
  /** Place keys of the shop's home, where the rates are not kept and are asked for there. */
  readonly home?: readonly string[];
}

/** What remembering a site costs besides its rates, in rates. */
const OVERHEAD = 5;

/** Compiled rates by site, those used last first; at most `most` rates in all, so that memory stays the same however many sites there are. */
export class RateCache {
  private readonly sites = new Map<number, CachedRates>();
  private size = 0;

  constructor(private readonly most: number) {}

  get(siteId: number): CachedRates | undefined {
    const cached = this.sites.get(siteId);
    if (cached === undefined) return undefined;
    this.sites.delete(siteId);
    this.sites.set(siteId, cached);
    return cached;
  }

  set(siteId: number, cached: CachedRates): void {
    this.delete(siteId);
    this.sites.set(siteId, cached);
    this.size += cached.size + OVERHEAD;
    for (const oldest of this.sites.keys()) {
      if (this.size <= this.most) break;
      this.delete(oldest);
    }
  }

  private delete(siteId: number): void {
    const cached = this.sites.get(siteId);
    if (cached === undefined) return;
    this.sites.delete(siteId);
    this.size -= cached.size + OVERHEAD;
  }
}
