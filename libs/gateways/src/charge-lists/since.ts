import type { GatewayClock } from '../throttle/gateway-clock.js';

const HOUR_MS = 60 * 60 * 1_000;
/**
 * A margin for clocks (of the database, this machine or the gateway) that were changed between a sending and its
 * look-up.
 */
export const CLOCK_MARGIN_MS = 48 * HOUR_MS;

/**
 * How far back a search goes: a duration before the gateway's present time, plus the margin. It never begins at a time
 * of this service's clock: if that clock was ahead, the gateway's time of the charge is "before" its sending, and the
 * search would miss it.
 */
export class Since {
  private boundMs: number | null = null;

  /** `agoMs`: the longest possible time since the charge; undefined: not known, the search has no limit. */
  constructor(
    private readonly clock: GatewayClock,
    private readonly agoMs: number | undefined,
    private readonly marginMs = CLOCK_MARGIN_MS,
  ) {}

  /**
   * The same as two times of the gateway, for a request that needs both; null without a limit. The end is a little in
   * the future, because `Date` has whole seconds. If no answer had a `Date`, this machine's clock is used, with the
   * margin on both sides.
   */
  get range(): { readonly fromMs: number; readonly toMs: number } | null {
    if (this.agoMs === undefined) return null;
    const { nowMs } = this.clock;
    const presentMs = nowMs ?? Date.now();
    const fromMs = Math.min(this.boundMs ?? Infinity, presentMs - Math.max(this.agoMs, 0) - this.marginMs);
    return { fromMs, toMs: presentMs + (nowMs === null ? CLOCK_MARGIN_MS : HOUR_MS) };
  }

  /**
   * Whether a time of the gateway is within the search. Ask about the newest entry first: if no answer had a `Date`,
   * the newest entry counts as the present time. That only makes the search go further back.
   */
  includes(gatewayMs: number): boolean {
    if (this.agoMs === undefined) return true;
    this.boundMs ??= (this.clock.nowMs ?? gatewayMs) - Math.max(this.agoMs, 0) - this.marginMs;
    return !(gatewayMs < this.boundMs);
  }
}
