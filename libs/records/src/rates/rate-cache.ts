import type { CompiledRates } from '#libs/rules';

/** A site's rates at one version; null when they are too many to keep. */
export interface CachedRates {
  readonly version: string;
  readonly rates: CompiledRates | null;
  /** The number of rates. */
  readonly size: number;
  /** Place keys of the shop's home, where the rates are not kept and are asked for there. */
  readonly home?: readonly string[];
}

/** The memory for a site besides its rates, counted in rates. */
const OVERHEAD = 5;

/**
 * Compiled rates by site, the most recently used first. It keeps at most `most` rates in all, so that the memory does
 * not depend on the number of sites.
 */
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
