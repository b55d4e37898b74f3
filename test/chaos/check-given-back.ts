import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import type { Find } from './check.js';
import type { GivenBack } from './dashboards.js';
import type { Diary } from './diary.js';
import { secondOfCharge, shownSecond } from './licences.js';

/** A person has said of an order's occurrence that it was not charged. */
export interface NotCharged {
  readonly scheduledOrderId: number;
  readonly atMs: number;
  /** The charge of it that the person saw at the gateway, given back whole. */
  readonly transactionId?: string;
}

export interface GivenBackParts {
  readonly captures: readonly Capture[];
  readonly givenBack: readonly GivenBack[];
  readonly diary: Diary;
  readonly notCharged: readonly NotCharged[];
  readonly find: Find;
}

/** Charges that need no Order, and all others. */
export interface SetAside {
  readonly aside: readonly Capture[];
  readonly standing: readonly Capture[];
}

/**
 * A charge that was given back whole may have no Order, where the shop knows of it: its logs or a difference name it,
 * or a person who saw it at the gateway has settled its occurrence. That is not charged again before it was given back,
 * nor unless a Process or a person's decision comes after that. All other charges stand.
 */
export async function setAside(database: TestDatabase, parts: GivenBackParts): Promise<SetAside> {
  const { captures, givenBack, notCharged } = parts;
  const whole = new Map(givenBack.filter(({ isWhole }) => isWhole).map((one) => [one.transactionId, one]));
  const excused = await toldWithoutOrder(
    database,
    captures.filter(({ transactionId }) => whole.has(transactionId)),
    notCharged.flatMap(({ transactionId: seen, atMs }) => (seen && whole.get(seen)!.atMs <= atMs ? seen : [])),
  );
  const isAside = ({ transactionId }: Capture): boolean => excused.has(transactionId);
  const byOccurrence = new Map<string, Capture[]>();
  for (const capture of captures) {
    const key = `${capture.scheduledOrderId}/${secondOfCharge(capture)}`;
    byOccurrence.set(key, [...(byOccurrence.get(key) ?? []), capture]);
  }
  for (const charges of byOccurrence.values()) {
    charges.sort((one, other) => one.sentMs - other.sentMs);
    for (const [index, later] of charges.slice(1).entries()) {
      const before = charges[index]!;
      // Where both stand, it is found by all others.
      if (isAside(before)) again(parts, whole.get(before.transactionId)!, later);
      else if (isAside(later)) tell(parts, later, 'was charged more than once, and one of them was given back');
    }
  }
  return { aside: captures.filter(isAside), standing: captures.filter((capture) => !isAside(capture)) };
}

function again(parts: GivenBackParts, { atMs }: GivenBack, later: Capture): void {
  const { diary, notCharged } = parts;
  const { scheduledOrderId: id, sentMs } = later;
  if (sentMs < atMs) return tell(parts, later, 'was charged again before the first charge was given back');
  const isProcessed = diary
    .requestsFor(id)
    .some((one) => one.what === 'process' && one.sentMs <= sentMs && one.endedMs >= atMs);
  const isDecided = notCharged.some((one) => one.scheduledOrderId === id && atMs <= one.atMs && one.atMs <= sentMs);
  if (!isProcessed && !isDecided)
    tell(parts, later, 'was charged again after the first charge was given back, and nobody asked for it');
}

function tell({ find }: GivenBackParts, capture: Capture, what: string): void {
  find('double', capture.scheduledOrderId, `the occurrence of ${shownSecond(secondOfCharge(capture)!)} ${what}`);
}

async function toldWithoutOrder(
  database: TestDatabase,
  captures: readonly Capture[],
  seen: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    `SELECT f.id FROM unnest($1::text[], $2::bigint[]) AS f (id, of)
     WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.gateway_transaction_id = f.id)
       AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.gateway_transaction_id = f.id AND c.state = 'Completed')
       AND (f.id = ANY ($3) OR EXISTS (SELECT 1 FROM payment_differences d WHERE d.gateway_transaction_id = f.id AND d.scheduled_order_id = f.of)
         OR EXISTS (SELECT 1 FROM error_logs l WHERE l.scheduled_order_id = f.of
           AND (position(f.id IN l.exception_info::text) > 0 OR position(f.id IN l.description) > 0)))`,
    [
      captures.map(({ transactionId }) => transactionId),
      captures.map(({ scheduledOrderId }) => scheduledOrderId),
      seen,
    ],
  );
  return new Set(rows.map(({ id }) => id));
}
