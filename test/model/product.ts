import { conclusion, conclusionOfRepetition, type LookUpOutcome, type PaymentMethodType } from '#libs/gateways';
import type { LatestCycle, LockedOrder, OrderToChange } from '#libs/ledger';
import { mayArriveForMs, withoutAnswer } from '../../apps/worker/src/processor/charge/late-arrivals.js';
import { SendGate } from '../../apps/worker/src/processor/charge/send-gate.js';
import type { LeasedCycle } from '../../apps/worker/src/processor/cycle/cycle.js';
import type { Outcome } from '../../apps/worker/src/processor/cycle/outcome.js';
import { memoryOfMs } from '../../apps/worker/src/processor/prepare/gateway-memory.js';
import { type Placement, placementOf } from '../../apps/worker/src/processor/reconcile/placement.js';
import { completion } from '../../apps/worker/src/processor/record/completion.js';
import { decide } from '../../apps/worker/src/processor/record/decide.js';
import type { Charge, Cycle, Database, Order } from './state.js';

/** The product's own decisions, called with a state of the model: nothing of them is written again here. */

const FIRST_MS = Date.UTC(2026, 0, 5, 8);
const MINUTE_MS = 60_000;
const RULE = { frequencyType: 'Days', frequency: 1 } as const;
/** One retry after a decline, two after a technical failure. */
const SCHEDULES = { payment: [24 * 60 * MINUTE_MS], technical: [10 * MINUTE_MS, 60 * MINUTE_MS] };

export const utc = (minute: number): Date => new Date(FIRST_MS + minute * MINUTE_MS);
export const utcOrNull = (minute: number | null): Date | null => (minute === null ? null : utc(minute));
export const minuteOf = (date: Date): number => (date.getTime() - FIRST_MS) / MINUTE_MS;
export const minuteOrNull = (date: Date | null): number | null => (date === null ? null : minuteOf(date));

export const orderToChange = ({ status, next, replaced, anchor }: Order): OrderToChange => ({
  id: 1,
  siteId: 1,
  status,
  ...RULE,
  scheduleAnchorUtc: utc(anchor),
  nextOccurrenceUtc: utcOrNull(next),
  replacedOccurrenceUtc: utcOrNull(replaced),
  archivedCycle: null,
  simulated: false,
  cancelledUtc: null,
});

export const latestCycle = (one: Cycle | undefined): LatestCycle | null =>
  one === undefined
    ? null
    : {
        cycle: one.cycle,
        state: one.state,
        dueUtc: utc(one.due),
        replacedUtc: utcOrNull(one.replaced),
        retriesExhausted: one.retriesExhausted,
        rescheduledMeanwhile: one.rescheduled,
        // Only a change of frequency reads it, and the model has none.
        madeForFound: false,
      };

function leasedCycle(one: Cycle, attempt: number): LeasedCycle {
  const { cycle, state, claim, retriesExhausted, paymentFailures, technicalFailures } = one;
  return {
    scheduledOrderId: 1,
    cycle,
    siteId: 1,
    attempt,
    paymentMethodType: 'GatewayOne',
    state,
    retriesExhausted,
    claim,
    keptClaim: null,
    orderId: cycle,
    dueUtc: utc(one.due),
    replacedUtc: utcOrNull(one.replaced),
    paymentFailures,
    technicalFailures,
    lookUps: one.lookUps,
    waitingSinceUtc: null,
    presentUtc: null,
    claimedAt: 0,
    leaseEndsAt: 0,
    frozenAttempt: null,
    lastReadAt: 0,
    isStopped: one.stoppedAt !== null,
    heldFor: null,
    heldBy: null,
  };
}

const lockedOrder = ({ status, deleted, anchor, next }: Order, one: Cycle): LockedOrder => ({
  version: '1',
  status,
  deleted,
  ...RULE,
  scheduleAnchorUtc: utc(anchor),
  nextOccurrenceUtc: utcOrNull(next),
  rescheduledMeanwhile: one.rescheduled,
  stopped: one.stoppedAt !== null,
  madePending: one.madePending,
});

/** For how many minutes a sending of an earlier attempt may still arrive; null: each was answered. */
export function unanswered({ past }: Cycle, gateway: PaymentMethodType, now: number): number | null {
  const attempts = past.map((one) => ({
    PaymentMethodType: gateway,
    StartedUtc: utc(one.startedAt).toISOString(),
    LookUps: one.lookUps,
  }));
  const open = withoutAnswer(attempts);
  return open.length === 0 ? null : Math.max(...open.map((one) => mayArriveForMs(one, utc(now)))) / MINUTE_MS;
}

/** For how long the service relies on the gateway to recognise a repetition. */
export const remembersMs = (type: PaymentMethodType): number =>
  memoryOfMs({ type, apiAccount: 'shop', apiKey1: 'key', apiKey2: null, testMode: false });

/** Minutes. */
interface Unseen {
  readonly underWay: number;
  readonly listLag: number;
}

const inMs = ({ underWay, listLag }: Unseen) => ({ underWayMs: underWay * MINUTE_MS, listLagMs: listLag * MINUTE_MS });

/** What "not found" means of a cycle that is not sent again now. `repeatsFor`: minutes. */
export function notFound(one: Cycle, now: number, unseen: Unseen, repeatsFor: number): LookUpOutcome {
  const attempt = {
    ageMs: (now - one.startedAt!) * MINUTE_MS,
    mayRepeat: false,
    quietMs: one.stoppedAt === null ? null : (now - one.stoppedAt) * MINUTE_MS,
    isKnownToGateway: one.known,
  };
  const sendings = { ...inMs(unseen), repeatedForMs: repeatsFor * MINUTE_MS };
  return conclusion({ kind: 'notFound' }, attempt, sendings);
}

/** The same of one whose repetition was answered like this. */
export function notFoundAgain(
  again: Extract<LookUpOutcome, { kind: 'unknown' }>,
  one: Cycle,
  now: number,
  unseen: Unseen,
): LookUpOutcome {
  const replayedMs = one.replayedAt === null ? null : (now - one.replayedAt) * MINUTE_MS;
  return conclusionOfRepetition(again, { ageMs: (now - one.startedAt!) * MINUTE_MS, replayedMs }, inMs(unseen));
}

/** The gate that every sending passes, just after it has read the cycle. */
export function passesGate(one: Cycle, holdsLease: boolean, isTooFar: boolean): boolean {
  const rest = [{ isTrusted: true }, { maySend: () => true }, { isTooFar: () => isTooFar }];
  const [leased, guard, recording, clocks] = [{ holds: () => holdsLease }, ...rest] as never[];
  const gate = new SendGate({} as never, 'worker', leased!, guard!, recording!, clocks!);
  return gate.maySend({ ...leasedCycle(one, one.attempt), lastReadAt: Infinity }, 1) === true;
}

type Completed = Extract<Outcome, { kind: 'completed' }>;

/** Writes what `completion` decides, as `recordCompleted` does. */
export function recordCompleted(order: Order, one: Cycle, outcome: Completed, now: number): void {
  const paid = { amount: 1000, currencyIso: 'USD', leftOut: [] };
  const done = completion(leasedCycle(one, one.attempt), outcome, lockedOrder(order, one), paid, utc(now));
  const next = minuteOrNull(done.nextUtc);
  if (order.status === 'Active' && !one.rescheduled && next === null) order.status = 'Pending';
  else if (done.reactivates) order.status = 'Active';
  const keepsReplaced = one.rescheduled || (one.resolution !== null && next === order.next);
  if (!keepsReplaced) order.replaced = null;
  if (!one.rescheduled) order.next = next;
  Object.assign(one, {
    state: 'Completed',
    open: false,
    worker: null,
    leaseUntil: null,
    nextAt: null,
    rescheduled: false,
    retriesExhausted: false,
    madePending: false,
    stoppedAt: null,
    resolution: null,
    endedAt: now,
  } satisfies Partial<Cycle>);
}

/** Writes what `decide` decides, as `recordFailed` does. */
export function recordFailed(
  order: Order,
  one: Cycle,
  outcome: Exclude<Outcome, Completed>,
  attempt: number,
  now: number,
): void {
  const failed = decide(leasedCycle(one, attempt), lockedOrder(order, one), outcome, SCHEDULES, utc(now));
  const isUnknown = failed.state === 'Unknown';
  if (failed.status !== null) order.status = failed.status;
  if (failed.nextOccurrenceUtc !== undefined) {
    order.next = minuteOrNull(failed.nextOccurrenceUtc);
    if (failed.state === 'Failed') order.replaced = null;
  }
  Object.assign(one, {
    state: failed.state,
    open: failed.state !== 'Failed',
    attempt: failed.attempt,
    nextAt: minuteOrNull(failed.nextAttemptUtc),
    paymentFailures: failed.paymentFailures,
    technicalFailures: failed.technicalFailures,
    lookUps: one.lookUps + (failed.isLookUp ? 1 : 0),
    retriesExhausted: failed.retriesExhausted,
    rescheduled: one.rescheduled && isUnknown,
    worker: null,
    leaseUntil: null,
    resolution: isUnknown ? one.resolution : null,
    known: one.known || failed.isKnownToGateway,
    replayedAt: failed.isReplayed ? Math.min(one.replayedAt ?? now, now) : one.replayedAt,
    madePending: isUnknown && (one.madePending || failed.madePending),
    key: failed.unsent ? null : one.key,
    endedAt: failed.state === 'Failed' ? now : null,
  } satisfies Partial<Cycle>);
}

/** Where the product puts a charge of the gateway's list that the ledger lacks. */
export function placed(charge: Charge, { order, cycles }: Database): Placement {
  const [kind, value] = charge.name.split(' ') as [string, string];
  // With a fault that trusts numbers, it is taken for the cycle of its number, or else for the next one.
  const ofNumber = () => cycles.find(({ cycle }) => cycle === Number(value))?.due ?? order.next ?? charge.at;
  const due = kind === 'number' ? ofNumber() : Number(value);
  return placementOf(
    {
      paymentIntegrationId: 1,
      transactionId: String(charge.transaction),
      scheduledOrderId: 1,
      attempt: charge.attempt,
      dueUtc: utc(due),
      amount: 1000,
      currencyIso: 'USD',
      chargedUtc: utc(charge.at),
      isCharged: true,
      isDoubtful: false,
      isGivenBack: false,
    },
    {
      currencyIso: 'USD',
      nextOccurrenceUtc: utcOrNull(order.next),
      replacedOccurrenceUtc: utcOrNull(order.replaced),
      rule: RULE,
      anchor: utc(order.anchor),
      archivedCycle: 0,
    },
    cycles.toReversed().map((one) => ({
      cycle: one.cycle,
      state: one.state,
      open: one.open,
      dueUtc: utc(one.due),
      replacedUtc: utcOrNull(one.replaced),
      attempt: one.attempt,
      transactionId: one.transaction === null ? null : String(one.transaction),
      amount: 1000,
      currencyIso: 'USD',
      isLeased: one.state === 'Charging' && one.worker !== null,
      isResolved: one.resolution !== null,
    })),
  );
}
