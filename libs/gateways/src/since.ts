import type { GatewayClock } from './throttle/gateway-clock.js';

const HOUR_MS = 60 * 60 * 1_000;
/** For clocks that were changed between a sending and its look-up: of the database, of this machine, of the gateway. */
export const CLOCK_MARGIN_MS = 48 * HOUR_MS;

/**
 * How far back a search goes: a duration before the gateway's own present, and the margin. It never begins at an instant of our own clock:
 * when that was ahead, the charge was made "before" its own sending, and a search that begins there would miss it.
 */
export class Since {
  private boundMs: number | null = null;

  /** `agoMs`: how long ago the charge was made at the earliest; undefined: nobody knows, there is no bound. */
  constructor(
    private readonly clock: GatewayClock,
    private readonly agoMs: number | undefined,
  ) {}

  /**
   * The same as two times of the gateway, for a request that wants both; null without a bound. The end lies a little ahead, for `Date` is in
   * whole seconds. Only where no answer carries a `Date` this machine's clock stands in, with the margin on both sides.
   */
  get range(): { readonly fromMs: number; readonly toMs: number } | null {
    if (this.agoMs === undefined) return null;
    const { nowMs } = this.clock;
    const presentMs = nowMs ?? Date.now();
    const fromMs = Math.min(this.boundMs ?? Infinity, presentMs - Math.max(this.agoMs, 0) - CLOCK_MARGIN_MS);
    return { fromMs, toMs: presentMs + (nowMs === null ? CLOCK_MARGIN_MS : HOUR_MS) };
  }

  /**
   * Whether a time of the gateway lies within the search. Ask it about the newest first: where no answer carries a `Date`, the newest
   * entry stands for the present, which only makes the search go further back.
   */
  includes(gatewayMs: number): boolean {
    if (this.agoMs === undefined) return true;
    this.boundMs ??= (this.clock.nowMs ?? gatewayMs) - Math.max(this.agoMs, 0) - CLOCK_MARGIN_MS;
    return !(gatewayMs < this.boundMs);
  }
}
