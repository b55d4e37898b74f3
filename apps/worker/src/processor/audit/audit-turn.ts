import type { PaymentMethodType } from '#libs/gateways';
import type { SqlExecutor } from '#libs/platform';
import { BEGIN_AUDIT, END_AUDIT, GO_ON_AUDITING, PUT_OFF_AUDIT } from './audit.sql.js';
import type { ListedCharge } from './differences-of.js';

/** Longer than the gateway is given for a page with all its pauses. It is renewed with each page. */
const LEASE_MS = 180_000;
/** From the beginning of an audit to that of the next one. */
export const PERIOD_MS = 600_000;
/** After a gateway that did not answer; and after one that refuses, which a person has to put right. */
const AGAIN_MS = 60_000;
const REFUSED_AGAIN_MS = 1_800_000;

/** Another worker has taken over the audit of this integration. */
export class AuditLost extends Error {
  override readonly name = 'AuditLost';
}

interface TurnRow {
  readonly id: number;
  readonly siteId: number;
  readonly paymentMethodType: PaymentMethodType;
  readonly checkedUntilUtc: Date;
  readonly openCharges: readonly StoredCharge[];
  readonly nowUtc: Date;
}

type StoredCharge = Omit<ListedCharge, 'dueUtc' | 'chargedUtc'> & {
  readonly dueUtc: string;
  readonly chargedUtc: string;
};

/** The audit of one integration, which one worker at a time has. */
export class AuditTurn {
  readonly integrationId: number;
  readonly siteId: number;
  readonly type: PaymentMethodType;
  readonly checkedUntilUtc: Date;
  /** By the database's clock. */
  readonly beganUtc: Date;
  /** Charges that are not compared yet. */
  readonly open: readonly ListedCharge[];

  private constructor(
    private readonly pool: SqlExecutor,
    private readonly worker: string,
    row: TurnRow,
  ) {
    this.integrationId = row.id;
    this.siteId = row.siteId;
    this.type = row.paymentMethodType;
    this.checkedUntilUtc = row.checkedUntilUtc;
    this.beganUtc = row.nowUtc;
    this.open = row.openCharges.map((charge) => ({
      ...charge,
      dueUtc: new Date(charge.dueUtc),
      chargedUtc: new Date(charge.chargedUtc),
    }));
  }

  /** @returns null when no integration's turn had come when the round began. */
  static async begin(pool: SqlExecutor, worker: string, roundMs: number): Promise<AuditTurn | null> {
    const [row] = await pool.execute<TurnRow>(BEGIN_AUDIT, [worker, LEASE_MS, roundMs]);
    return row === undefined ? null : new AuditTurn(pool, worker, row);
  }

  /** @throws AuditLost */
  async goOn(): Promise<void> {
    const mine = await this.pool.execute(GO_ON_AUDITING, [this.integrationId, this.worker, LEASE_MS]);
    if (mine.length === 0) throw new AuditLost();
  }

  /** Everything charged until then is compared, but for the open ones. */
  async end(checkedUntilUtc: Date, open: readonly ListedCharge[]): Promise<void> {
    const nextUtc = new Date(this.beganUtc.getTime() + PERIOD_MS);
    const values = [this.integrationId, this.worker, checkedUntilUtc, JSON.stringify(open), nextUtc];
    await this.pool.execute(END_AUDIT, values);
  }

  /** Unless it is refused, and the integration sends nothing any more. */
  async putOff(isRefused: boolean): Promise<void> {
    const delayMs = isRefused ? REFUSED_AGAIN_MS : AGAIN_MS;
    await this.pool.execute(PUT_OFF_AUDIT, [this.integrationId, this.worker, delayMs, isRefused]);
  }
}
