import { Injectable } from '@nestjs/common';
import { DIFFERENCE_STATES } from '#libs/entities';
import { differenceView, settleDifference } from '#libs/ledger';
import { prepared } from '#libs/platform';
import {
  type Answer,
  assertReach,
  assertSiteInPath,
  type Caller,
  callerName,
  Conflict,
  Database,
  type Idempotency,
  isReached,
  NotFound,
} from '#libs/records';
import type { SettleDifferenceDto } from '../../contract/payments/difference.dto.js';
import type { Input } from '../../http/parameters/parameters.js';
import type { DifferencesQuery } from './differences-query.js';

const PAGE = 100;

/**
 * Newest first; of each state by ix_payment_differences_state. $1 site, $2 states, $3 kind or null, $4 below this id.
 */
const PAGE_OF_DIFFERENCES = () => `SELECT x.id, ${differenceView.json('x')}::text AS json
FROM unnest($2::varchar[]) AS s (state) CROSS JOIN LATERAL (
  SELECT d.* FROM payment_differences d
  WHERE d.site_id = $1 AND d.state = s.state AND d.id < $4 AND ($3::varchar IS NULL OR d.kind = $3)
  ORDER BY d.id DESC LIMIT ${PAGE + 1}) x
ORDER BY x.id DESC LIMIT ${PAGE + 1}`;

/** pk_payment_differences. $1 difference, $2 reach. */
const ONE = () =>
  `SELECT x.site_id, x.scheduled_order_id, x.state, ${differenceView.json('x')}::text AS json,
    ${isReached('x.site_id', '$2::bigint[]')} AS reached FROM payment_differences x WHERE x.id = $1`;

/** The order first, as everybody locks. pk_scheduled_orders. $1 order. */
const LOCK_ORDER = `SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`;

interface Stored {
  readonly siteId: number;
  readonly scheduledOrderId: number | null;
  readonly state: string;
  readonly json: string;
  readonly reached: boolean;
}

/** What the gateways' books and the ledger say differently (docs/processing.md, The audit). */
@Injectable()
export class DifferencesService {
  constructor(private readonly database: Database) {}

  /** @returns a page, and the cursor of the next one; null after the last. @throws NotFound, Forbidden. */
  async page(
    caller: Caller,
    siteId: number,
    { state, kind, before }: DifferencesQuery,
  ): Promise<{ json: string; next: number | null }> {
    await assertSiteInPath(this.database, caller, siteId);
    const rows = await this.database.execute<{ id: number; json: string }>(
      prepared('Difference.page', PAGE_OF_DIFFERENCES),
      [siteId, state === null ? DIFFERENCE_STATES : [state], kind, before ?? Number.MAX_SAFE_INTEGER],
    );
    const shown = rows.slice(0, PAGE);
    const next = rows.length > PAGE ? shown.at(-1)!.id : null;
    return { json: `[${shown.map(({ json }) => json).join(',')}]`, next };
  }

  /** @throws Conflict when it is settled. NotFound, Forbidden. */
  async settle(
    caller: Caller,
    id: number,
    { as, note = null }: Input<SettleDifferenceDto>,
    once: Idempotency,
  ): Promise<Answer> {
    const [found] = await this.database.read<Stored>(prepared('Difference.get', ONE), [id, caller.reach]);
    if (found === undefined) throw new NotFound(`There is no Difference ${id}.`);
    const siteId = found.siteId;
    await assertReach(this.database, caller, found, `Difference ${id}`);
    const scheduledOrderId = found.scheduledOrderId;
    return this.database.once(once, async (tx) => {
      if (scheduledOrderId !== null) await tx.execute(LOCK_ORDER, [scheduledOrderId]);
      const [locked] = await tx.execute<Stored>(`${ONE()} FOR UPDATE OF x`, [id, caller.reach]);
      if (locked?.state !== 'Open') throw new Conflict(`Difference ${id} is settled already.`);
      await settleDifference(tx, { id, siteId, scheduledOrderId }, { as, by: callerName(caller), note });
      const [settled] = await tx.execute<Stored>(ONE(), [id, caller.reach]);
      return { id, json: settled!.json };
    });
  }
}
