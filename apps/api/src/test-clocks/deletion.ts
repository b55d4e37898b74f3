import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isLeased } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { Conflict, type Database } from '#libs/records';
import {
  CUSTOMERS,
  DELIVERIES,
  EVENTS,
  LOOSE_ORDERS,
  ORDERS,
  PRODUCTS,
  removeLast,
  removeSome,
} from './parts-of-a-site.js';

/** Longer than most charges take. */
const LONGEST_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 50;
/** Longer than a part takes. */
const LEASE = `interval '1 minute'`;

/** Products and customers when no order has them any more. */
const PARTS = [ORDERS, LOOSE_ORDERS, DELIVERIES, EVENTS, CUSTOMERS, PRODUCTS];

/** Of a clock that is locked. pk_test_clocks. $1 site. */
const IS_LED = `SELECT k.state = 'Deleting' AND k.lease_until_utc > now() AS led FROM test_clocks k WHERE k.site_id = $1`;

/** pk_test_clocks. $1 site, $2 deletion. */
const BEGIN = `UPDATE test_clocks SET state = 'Deleting', worker = $2, lease_until_utc = now() + ${LEASE}, updated_utc = now() WHERE site_id = $1`;

/** Locks the clock, too. pk_test_clocks. $1 site, $2 deletion. */
const GO_ON = `UPDATE test_clocks SET lease_until_utc = now() + ${LEASE} WHERE site_id = $1 AND worker = $2 AND state = 'Deleting' RETURNING 1`;

/** pk_test_clocks. $1 site, $2 deletion. */
const GIVE_UP = `UPDATE test_clocks SET worker = NULL, lease_until_utc = NULL WHERE site_id = $1 AND worker = $2 AND state = 'Deleting'`;

/**
 * One request's deletion of a simulated site with all that belongs to it, in transactions of a bounded size: a year of
 * a large shop is millions of rows. It takes the lead of the clock from the workers, and the state stays `Deleting` for
 * ever: what was interrupted is ended by another request.
 */
export class Deletion {
  /** In the place of the worker that leads the clock. */
  private readonly id = `deletion ${randomUUID()}`;

  constructor(
    private readonly database: Database,
    private readonly siteId: number,
  ) {}

  /**
   * No worker leads the clock from now on: each claim asks, with the clock locked, whether its worker still does. The
   * clock must be locked.
   * @throws Conflict while another request deletes the site.
   */
  async begin(tx: Transaction): Promise<void> {
    const [clock] = await tx.execute<{ led: boolean | null }>(IS_LED, [this.siteId]);
    if (clock?.led === true) throw this.elsewhere();
    await tx.execute(BEGIN, [this.siteId, this.id]);
  }

  /** @throws Conflict while a worker is still processing an order of it. */
  async run(): Promise<void> {
    try {
      await this.untilIdle();
      for (const part of PARTS) while (await this.write((tx) => removeSome(tx, this.siteId, part)));
      await this.write((tx) => removeLast(tx, this.siteId));
    } catch (error) {
      // Whoever sends it again need not wait.
      await this.database.execute(GIVE_UP, [this.siteId, this.id]).catch(() => undefined);
      throw error;
    }
  }

  private async untilIdle(): Promise<void> {
    for (let waitedMs = 0; await isLeased(this.database, this.siteId); waitedMs += LOOK_AGAIN_MS) {
      if (waitedMs >= LONGEST_WAIT_MS) {
        throw new Conflict(
          `Site ${this.siteId} is being deleted, and an order of it is still being processed: send the request again when it is done.`,
        );
      }
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** @throws Conflict when this took so long that another request has gone on with it. */
  private write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.write(async (tx) => {
      if ((await tx.execute(GO_ON, [this.siteId, this.id])).length === 0) throw this.elsewhere();
      return work(tx);
    });
  }

  private elsewhere(): Conflict {
    return new Conflict(
      `Another request is deleting site ${this.siteId}. If that was interrupted, send this one again in a minute.`,
    );
  }
}
