/** The most deliveries that a worker sends at once. */
const MOST = 100;
/** Of these, to endpoints that have failed lately: those that answer never wait for all of them. */
const MOST_SUSPECT = 50;
/** Kept for them: those that answer never fill a worker. */
const KEPT_FOR_SUSPECT = 20;
/** Of one endpoint. */
export const MOST_OF_ENDPOINT = 10;

/** The deliveries that this worker is sending. */
export class InFlight {
  private readonly byEndpoint = new Map<string, number>();
  private readonly work = new Set<Promise<void>>();
  private all = 0;
  private suspect = 0;

  /** How many more endpoints may be claimed now, each with as many deliveries as one may have. */
  room(isSuspect: boolean): number {
    const left = isSuspect ? MOST_SUSPECT - this.suspect : MOST - KEPT_FOR_SUSPECT - (this.all - this.suspect);
    return Math.max(0, Math.floor(Math.min(MOST - this.all, left) / MOST_OF_ENDPOINT));
  }

  /** Endpoints with as much in flight as one may have. */
  get busy(): string[] {
    return [...this.byEndpoint].filter(([, count]) => count >= MOST_OF_ENDPOINT).map(([id]) => id);
  }

  /** Counts a delivery until `sending` has ended. */
  add(endpointId: string, isSuspect: boolean, sending: Promise<void>): void {
    this.count(endpointId, isSuspect, 1);
    const counted = sending.finally(() => {
      this.work.delete(counted);
      this.count(endpointId, isSuspect, -1);
    });
    this.work.add(counted);
  }

  /** Resolves when everything that is in flight now has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.work);
  }

  private count(endpointId: string, isSuspect: boolean, change: 1 | -1): void {
    this.all += change;
    if (isSuspect) this.suspect += change;
    const count = (this.byEndpoint.get(endpointId) ?? 0) + change;
    if (count === 0) this.byEndpoint.delete(endpointId);
    else this.byEndpoint.set(endpointId, count);
  }
}
