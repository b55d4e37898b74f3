/** Money that a gateway really took, as its own books have it. */
export interface Capture {
  /** The secret key (GatewayOne) or login id (GatewayTwo) that charged. */
  readonly account: string;
  readonly transactionId: string;
  readonly scheduledOrderId: number;
  /**
   * The second of the occurrence that it was sent for: `2026-11-24T10:30:00.000Z`. An old form names the cycle
   * instead: `cycle 3`.
   */
  readonly dueUtc: string;
  /** `deployment.key_prefix`; at GatewayTwo a hash of it. Empty: an old form does not name it. */
  readonly installation: string;
  readonly attempt: number;
  /** As a person reads it: `12.34` USD, `500` JPY. */
  readonly amount: string;
  readonly currencyIso: string;
  readonly atUtc: Date;
  /** When the charge that became this arrived, by the true clock, whatever the gateway's shows. */
  readonly sentMs: number;
  readonly gatewayCustomerId: string;
  /** Of the card. */
  readonly gatewayPaymentId: string;
}

/** An instant of the database as the books have an occurrence. */
export const secondOf = (dueUtc: Date | string): string =>
  new Date(Math.floor(new Date(dueUtc).getTime() / 1_000) * 1_000).toISOString();

/** What became of a capture, or of a part of it. */
export interface GivenBack {
  readonly as: 'refund' | 'void' | 'dispute';
  readonly transactionId: string;
  /** In the gateway's minor units. */
  readonly amount: number;
}

/** The books of a stand-in: what was charged, whatever was answered. */
export class ChargeLedger {
  readonly charges: Capture[] = [];
  readonly givenBack: GivenBack[] = [];
  private readonly byOrder = new Map<number, Capture[]>();

  add(capture: Capture): void {
    this.charges.push(capture);
    const ofOrder = this.byOrder.get(capture.scheduledOrderId);
    if (ofOrder) ofOrder.push(capture);
    else this.byOrder.set(capture.scheduledOrderId, [capture]);
  }

  /** Of an order, or of one occurrence of it. */
  capturesOf(scheduledOrderId: number, dueUtc?: Date | string): readonly Capture[] {
    const ofOrder = this.byOrder.get(scheduledOrderId) ?? [];
    return dueUtc === undefined ? ofOrder : ofOrder.filter((one) => one.dueUtc === secondOf(dueUtc));
  }

  /** Occurrences that were charged more than once: there must be none. */
  doubles(): Capture[][] {
    const byOccurrence = new Map<string, Capture[]>();
    for (const capture of this.charges) {
      const occurrence = `${capture.scheduledOrderId}/${capture.dueUtc}`;
      byOccurrence.set(occurrence, [...(byOccurrence.get(occurrence) ?? []), capture]);
    }
    return [...byOccurrence.values()].filter(({ length }) => length > 1);
  }
}
