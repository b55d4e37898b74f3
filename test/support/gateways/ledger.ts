/** Money that a gateway really took, as its own books have it. */
export interface Capture {
  /** The secret key (GatewayOne) or login id (GatewayTwo) that charged. */
  readonly account: string;
  readonly transactionId: string;
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly attempt: number;
  /** As a person reads it: `12.34` USD, `500` JPY. */
  readonly amount: string;
  readonly currencyIso: string;
  readonly atUtc: Date;
  /** When the charge that became this arrived, by the true clock, whatever the gateway's shows. */
  readonly sentMs: number;
  /** The occurrence that it was sent for; null where the gateway has no room to say. */
  readonly dueUtc: Date | null;
  readonly gatewayCustomerId: string;
  /** Of the card. */
  readonly gatewayPaymentId: string;
}

/** The books of a stand-in: what was charged, whatever was answered. */
export class ChargeLedger {
  readonly charges: Capture[] = [];
  private readonly byCycle = new Map<string, Capture[]>();

  add(capture: Capture): void {
    this.charges.push(capture);
    const key = `${capture.scheduledOrderId}/${capture.cycle}`;
    const ofCycle = this.byCycle.get(key);
    if (ofCycle) ofCycle.push(capture);
    else this.byCycle.set(key, [capture]);
  }

  of(scheduledOrderId: number, cycle: number): readonly Capture[] {
    return this.byCycle.get(`${scheduledOrderId}/${cycle}`) ?? [];
  }

  /** Cycles that were charged more than once: there must be none. */
  doubles(): Capture[][] {
    return [...this.byCycle.values()].filter((ofCycle) => ofCycle.length > 1);
  }
}
