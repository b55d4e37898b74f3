/** An HTTP date as RFC 9110 has every server send it; anything else is taken for nothing. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * What the gateway's own clock shows: the `Date` of its latest answer, carried on by the monotonic clock. This machine's clock and the
 * database's take no part, so that a look-up finds the charge whatever they show.
 */
export class GatewayClock {
  private seen: { readonly gatewayMs: number; readonly atMs: number } | null = null;

  constructor(private readonly onDate: (gatewayUtc: Date) => void) {}

  /** Takes note of an answer's `Date`; one that is missing or no date changes nothing. */
  see(date: string | undefined): void {
    const gatewayMs = HTTP_DATE.test(date ?? '') ? Date.parse(date!) : NaN;
    if (Number.isNaN(gatewayMs)) return;
    this.seen = { gatewayMs, atMs: performance.now() };
    this.onDate(new Date(gatewayMs));
  }

  /** Null as long as no answer has told. */
  get nowMs(): number | null {
    return this.seen && this.seen.gatewayMs + performance.now() - this.seen.atMs;
  }
}
