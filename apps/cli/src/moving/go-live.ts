import type { PaymentMethodType } from '#libs/gateways';
import type { Transaction } from '#libs/platform';
import { Conflict, Rejected } from '#libs/records';
import { checkRealSite } from '../import/site-of-import.js';
import { Refusal } from '../refusal.js';
import { type Account, accountsOf } from './accounts.js';
import { activate } from './activate.js';
import { paid, passed, touched, withoutIntegration } from './judge.js';
import { type LockedMove, lockMoves } from './locked-move.js';
import { GOES_LIVE, JUDGED, type MovingParts } from './moving.js';
import { paymentsOfSite, type SitePayments, TYPES } from './payments-of-site.js';
import { type Held, held, type Reason, storedReason } from './reasons.js';

/** A check is too old after this: cards, prices and products may have changed. */
const OLDEST_CHECK_MS = 2 * 60 * 60 * 1_000;

export interface GoLiveOptions {
  /** How many are made Active in one transaction. */
  readonly batch: number;
  /** How many are made Active at most. */
  readonly limit: number;
  readonly onBatch?: (live: number) => void;
}

export interface WentLive {
  readonly Live: number;
  /** Of those that had passed the check: by reason. */
  readonly Held: Partial<Record<Reason, number[]>>;
  /** Passed, but beyond the limit. */
  readonly Left: number;
}

/**
 * Makes the subscriptions Active that have passed the check, batch by batch. Before each batch the gateways are asked
 * again for payments since the export. Each batch is one transaction, so it can be stopped at any point, run again, and
 * run twice at the same time.
 * @throws Refusal when there is no such site, a check is too old, or a gateway cannot be asked: then nothing more is
 * made Active.
 */
export async function goLive(parts: MovingParts, { batch, limit, onBatch }: GoLiveOptions): Promise<WentLive> {
  const { database, siteId } = parts;
  await checkRealSite(database, siteId);
  const heldBy: Partial<Record<Reason, number[]>> = {};
  let live = 0;
  while (live < limit) {
    const { ready, oldestMs } = await readyOf(parts);
    if (ready === 0) break;
    if (oldestMs > OLDEST_CHECK_MS) throw new Refusal(TOO_OLD);
    const accounts = await accountsOf(database, parts.vault, parts.gateways, siteId);
    // A check that runs at the same time may pass others before the batch is read.
    const known = { accounts, ...(await paymentsOfSite(database, accounts, siteId, JUDGED)) };
    for (const type of await typesOfReady(parts)) {
      const failure = known.payments.failureOf(type);
      if (failure)
        throw new Refusal(`${type} could not be asked for payments, so nothing more goes live: ${failure.message}`);
    }
    const most = Math.min(batch, limit - live);
    const done = await database.transaction((tx) => batchLive(tx, siteId, most, known));
    // Another command has them all.
    if (done.live === 0 && done.held.length === 0) break;
    live += done.live;
    for (const { id, reason } of done.held) heldBy[reason] = [...(heldBy[reason] ?? []), id];
    onBatch?.(live);
  }
  return { Live: live, Held: heldBy, Left: (await readyOf(parts)).ready };
}

const TOO_OLD =
  'The check of some subscriptions is more than 2 hours old: run migration:check again, then migration:go-live. What is live stays live.';

/** ix_migrated_subscriptions_state. $1 site id, $2 source status. */
const READY = `SELECT count(*) AS ready, coalesce(extract(epoch FROM clock_timestamp() - min(checked_utc)) * 1000, 0)::bigint AS oldest_ms
FROM migrated_subscriptions WHERE site_id = $1 AND state = 'Passed' AND source_status = $2`;

async function readyOf({ database, siteId }: MovingParts): Promise<{ ready: number; oldestMs: number }> {
  const [row] = await database.execute<{ ready: number; oldestMs: number }>(READY, [siteId, GOES_LIVE]);
  return row!;
}

/**
 * The gateways through which those that passed may have been paid. ix_migrated_subscriptions_state. $1 site id, $2
 * source status.
 */
const TYPES_OF_READY = `SELECT DISTINCT unnest(${TYPES}) AS type
FROM migrated_subscriptions m JOIN scheduled_orders o ON o.id = m.scheduled_order_id
WHERE m.site_id = $1 AND m.state = 'Passed' AND m.source_status = $2`;

async function typesOfReady({ database, siteId }: MovingParts): Promise<PaymentMethodType[]> {
  const rows = await database.execute<{ type: PaymentMethodType }>(TYPES_OF_READY, [siteId, GOES_LIVE]);
  return rows.map(({ type }) => type);
}

interface Known extends SitePayments {
  readonly accounts: ReadonlyMap<PaymentMethodType, Account>;
}

interface Done {
  readonly live: number;
  readonly held: readonly { readonly id: number; readonly reason: Reason }[];
}

/**
 * One batch at a time, whatever its site: two sites may have the same subscription, and the second must see that the
 * first has it live.
 */
const ONE_AT_A_TIME = `SELECT pg_advisory_xact_lock(hashtext('migration:go-live'))`;

async function batchLive(tx: Transaction, siteId: number, most: number, known: Known): Promise<Done> {
  const chosen = { siteId, state: 'Passed', sourceStatus: GOES_LIVE, most, passesOverLocked: true };
  await tx.execute(ONE_AT_A_TIME);
  const moves = await lockMoves(tx, chosen);
  const [clock] = await tx.execute<{ now: Date }>(`SELECT clock_timestamp()::timestamptz(3) AS now`);
  const live: number[] = [];
  const heldMoves: { id: number; reason: Reason; text: string; paidUtc: Date | null }[] = [];
  for (const move of moves) {
    const why = reasonAgainst(move, known, clock!.now) ?? (await activated(tx, move));
    const { id } = move.order;
    if (why === null) live.push(id);
    else {
      const paidUtc = known.payments.paidBy(move)[0]?.chargedUtc ?? null;
      heldMoves.push({ id, reason: why.reason, text: storedReason(why), paidUtc });
    }
  }
  await tx.execute(
    `UPDATE migrated_subscriptions SET state = 'Live', reason = NULL, live_utc = $2 WHERE scheduled_order_id = ANY ($1::bigint[])`,
    [live, clock!.now],
  );
  await tx.execute(
    `UPDATE migrated_subscriptions m SET state = 'Held', reason = v.reason, paid_utc = v.paid_utc
     FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS v (id, reason, paid_utc) WHERE m.scheduled_order_id = v.id`,
    [heldMoves.map(({ id }) => id), heldMoves.map(({ text }) => text), heldMoves.map(({ paidUtc }) => paidUtc)],
  );
  return { live: live.length, held: heldMoves };
}

/** What has changed since the check. */
function reasonAgainst(move: LockedMove, { payments, accounts }: Known, now: Date): Held | null {
  const { order, isChanged, paymentMethodType: type } = move;
  const wrong = touched({ ...move, status: order.status });
  if (wrong) return wrong;
  if (type !== null && !accounts.has(type)) return withoutIntegration(type);
  if (isChanged || order.nextOccurrenceUtc === null) {
    return held('ChangedSinceCheck', 'It was changed here after the check: run migration:check again.');
  }
  const silent = move.types.flatMap((one) => payments.failureOf(one) ?? [])[0];
  if (silent) return held('GatewaySilent', silent.message);
  const dated = { ...move, nextOccurrenceUtc: order.nextOccurrenceUtc };
  return paid(dated, payments.paidBy(move)) ?? passed(dated, now);
}

/** @returns why a request could not make it Active either; null when it is. */
async function activated(tx: Transaction, move: LockedMove): Promise<Held | null> {
  try {
    await activate(tx, move);
    return null;
  } catch (error) {
    if (error instanceof Conflict || error instanceof Rejected) return held('ChangedSinceCheck', error.message);
    throw error;
  }
}
