/** An HTTP date in the form of RFC 9110; any other text is ignored. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The gateway's own time: the `Date` of its latest answer, continued by the monotonic clock. The clocks of this machine
 * and of the database are not used, so that a look-up finds the charge even when they are wrong.
 */
export class GatewayClock {
  private seen: { readonly gatewayMs: number; readonly atMs: number } | null = null;

  constructor(private readonly onDate: (gatewayUtc: Date) => void) {}

  /** Reads an answer's `Date`. A missing or invalid one changes nothing. */
  see(date: string | undefined): void {
    const gatewayMs = HTTP_DATE.test(date ?? '') ? Date.parse(date!) : NaN;
    if (Number.isNaN(gatewayMs)) return;
    this.seen = { gatewayMs, atMs: performance.now() };
    this.onDate(new Date(gatewayMs));
  }

  /** Null until an answer had a `Date`. */
  get nowMs(): number | null {
    return this.seen && this.seen.gatewayMs + performance.now() - this.seen.atMs;
  }
}
