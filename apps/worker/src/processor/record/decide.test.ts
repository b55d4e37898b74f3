import { type Failure, failure } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';
import { decide, type FailedOutcome } from './decide.js';
import type { FailedAttempt, LockedOrder } from './failed-attempt.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = new Date('2026-05-15T10:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const schedules = { payment: [1 * DAY, 3 * DAY], technical: [1 * MINUTE, 5 * MINUTE] };

/** Due at 9:00, weekly, charging its first attempt. */
const cycle: LeasedCycle = {
  scheduledOrderId: 1,
  cycle: 4,
  siteId: 1,
  attempt: 1,
  paymentMethodType: 'GatewayOne',
  state: 'Charging',
  retriesExhausted: false,
  presentUtc: null,
  isStopped: false,
  heldFor: null,
  heldBy: null,
  orderId: 9,
  dueUtc: later(-HOUR),
  replacedUtc: null,
  paymentFailures: 0,
  technicalFailures: 0,
  lookUps: 0,
  waitingSinceUtc: null,
  claim: 1,
  keptClaim: null,
  lastReadAt: 0,
  claimedAt: 0,
  leaseEndsAt: 0,
};
const order: LockedOrder = {
  version: '1',
  status: 'Active',
  deleted: false,
  frequencyType: 'Weeks',
  frequency: 1,
  scheduleAnchorUtc: later(-HOUR),
  nextOccurrenceUtc: later(-HOUR),
  rescheduledMeanwhile: false,
  stopped: false,
  madePending: false,
};
const nextWeek = later(-HOUR + 7 * DAY);

const charge = (outcome: Extract<FailedOutcome, { kind: 'charge' }>['outcome']): FailedOutcome => ({
  kind: 'charge',
  outcome,
});
const settled = (outcome: Extract<FailedOutcome, { kind: 'inDoubt' }>['outcome'], mayRepeat = true): FailedOutcome => ({
  kind: 'inDoubt',
  outcome,
  mayRepeat,
});
const soft = charge({ kind: 'declined', hard: false, message: 'No.' });
const hard = charge({ kind: 'declined', hard: true, message: 'Never.' });
const busy = charge({ kind: 'unavailable', message: 'Busy.' });
const silent = charge({ kind: 'unknown', repeatable: true, message: 'Silent.' });
const refused = charge({ kind: 'refused', message: 'Wrong key.' });
const broken = charge({ kind: 'postponed', message: 'Broken.', retryAfterMs: 30_000 });

type Row = [
  what: string,
  outcome: FailedOutcome,
  standing: Partial<LockedOrder>,
  leased: Partial<LeasedCycle>,
  then: Partial<FailedAttempt>,
];

const paused = { status: 'Paused' } as const;
const movedTo = (ms: number) => ({ rescheduledMeanwhile: true, nextOccurrenceUtc: later(ms) });

describe('What follows from a try', () => {
  it.each<Row>([
    [
      'a decline',
      soft,
      {},
      {},
      {
        state: 'Retrying',
        nextAttemptUtc: later(DAY),
        nextOccurrenceUtc: later(DAY),
        paymentFailures: 1,
        status: null,
      },
    ],
    [
      'a second decline',
      soft,
      {},
      { paymentFailures: 1 },
      { state: 'Retrying', nextAttemptUtc: later(3 * DAY), paymentFailures: 2 },
    ],
    [
      'the last decline',
      soft,
      {},
      { paymentFailures: 2 },
      { state: 'Failed', retriesExhausted: true, status: 'Pending', nextOccurrenceUtc: nextWeek },
    ],
    [
      'a decline for good',
      hard,
      {},
      {},
      { state: 'Failed', retriesExhausted: true, status: 'Pending', paymentFailures: 0 },
    ],
    [
      'a decline of an order paused in the meantime',
      soft,
      paused,
      {},
      { state: 'Failed', retriesExhausted: false, status: null, nextOccurrenceUtc: nextWeek },
    ],
    [
      'a decline of a deleted order',
      soft,
      { deleted: true },
      {},
      { state: 'Failed', retriesExhausted: false, status: null },
    ],
    [
      'a decline for good of a paused order',
      hard,
      paused,
      {},
      { state: 'Failed', retriesExhausted: false, status: null },
    ],
    [
      'a decline of an order moved to tomorrow',
      soft,
      movedTo(20 * HOUR),
      {},
      { state: 'Retrying', nextAttemptUtc: later(20 * HOUR), nextOccurrenceUtc: undefined },
    ],
    [
      'the last decline of a moved order',
      soft,
      movedTo(20 * HOUR),
      { paymentFailures: 2 },
      { state: 'Failed', status: 'Pending', nextOccurrenceUtc: undefined },
    ],
    [
      'a decline without a frequency any more',
      hard,
      { frequencyType: null, frequency: null, status: 'Pending' },
      {},
      { state: 'Failed', nextOccurrenceUtc: null },
    ],
    [
      'a busy gateway',
      busy,
      {},
      { paymentFailures: 1 },
      { state: 'Retrying', nextAttemptUtc: later(MINUTE), technicalFailures: 1, paymentFailures: 1 },
    ],
    [
      'a busy gateway that says how long',
      charge({ kind: 'unavailable', message: 'Busy.', retryAfterMs: HOUR }),
      {},
      {},
      { nextAttemptUtc: later(HOUR) },
    ],
    [
      'a gateway busy to the last',
      busy,
      {},
      { technicalFailures: 2 },
      { state: 'Failed', retriesExhausted: true, status: 'Pending' },
    ],
    [
      'silence',
      silent,
      {},
      {},
      { state: 'Unknown', attempt: 1, nextAttemptUtc: later(MINUTE), technicalFailures: 1, status: null },
    ],
    [
      'silence to the last',
      silent,
      {},
      { technicalFailures: 2 },
      { state: 'Unknown', nextAttemptUtc: later(5 * MINUTE), status: 'Pending', retriesExhausted: true },
    ],
    [
      'silence about a paused order',
      silent,
      paused,
      { technicalFailures: 9 },
      { state: 'Unknown', status: null, nextOccurrenceUtc: undefined },
    ],
    [
      'refused credentials',
      refused,
      {},
      {},
      {
        state: 'Waiting',
        attempt: 0,
        unsent: true,
        nextAttemptUtc: later(30 * DAY),
        nextProbeUtc: later(15 * MINUTE),
        waitingSinceUtc: now,
        technicalFailures: 0,
      },
    ],
    [
      'refused credentials again',
      refused,
      {},
      { waitingSinceUtc: later(-DAY) },
      {
        state: 'Waiting',
        waitingSinceUtc: later(-DAY),
        nextAttemptUtc: later(29 * DAY),
        nextOccurrenceUtc: later(29 * DAY),
        event: null,
        error: null,
      },
    ],
    [
      'refused credentials for a month',
      refused,
      {},
      { waitingSinceUtc: later(-30 * DAY) },
      { state: 'Failed', retriesExhausted: true, status: 'Pending', attempt: 0 },
    ],
    [
      'refused credentials of a paused order',
      refused,
      paused,
      {},
      { state: 'Failed', retriesExhausted: false, status: null },
    ],
    [
      'an open breaker',
      broken,
      {},
      {},
      {
        state: 'Retrying',
        attempt: 0,
        unsent: true,
        nextAttemptUtc: later(30_000),
        technicalFailures: 0,
        event: null,
        error: null,
      },
    ],
    [
      'an open breaker for one that waits',
      broken,
      {},
      { waitingSinceUtc: later(-DAY) },
      {
        state: 'Waiting',
        waitingSinceUtc: later(-DAY),
        nextAttemptUtc: later(29 * DAY),
        nextProbeUtc: later(30_000),
      },
    ],
    [
      'an open breaker for one that has waited for a month',
      broken,
      {},
      { waitingSinceUtc: later(-30 * DAY) },
      { state: 'Waiting', nextAttemptUtc: later(30_000), nextProbeUtc: later(30_000) },
    ],
    [
      'a pause before it was sent',
      { kind: 'stopped' },
      paused,
      {},
      {
        state: 'Failed',
        retriesExhausted: false,
        attempt: 0,
        failure: null,
        event: null,
        error: null,
        nextOccurrenceUtc: nextWeek,
      },
    ],
    [
      'a pause before it was sent, of an order that is active again',
      { kind: 'stopped' },
      {},
      {},
      { state: 'Failed', attempt: 0, nextAttemptUtc: null, failure: null, event: null, error: null, status: null },
    ],
    [
      'a pause before it was sent, of one that waits and is active again',
      { kind: 'stopped' },
      {},
      { waitingSinceUtc: later(-DAY) },
      { state: 'Failed', failure: null, event: null },
    ],
    [
      'a stop while the outcome was unknown, and the gateway does not know it',
      settled({ kind: 'notFound' }),
      { stopped: true },
      { state: 'Unknown' },
      { state: 'Failed', attempt: 1, failure: null, event: null, error: null, nextOccurrenceUtc: nextWeek },
    ],
    [
      'a stop while the outcome was unknown, and it is declined',
      settled({ kind: 'declined', hard: false, message: 'No.' }),
      { stopped: true },
      { state: 'Unknown' },
      { state: 'Failed', failure: failure('PaymentFailed', 'No.'), nextAttemptUtc: null },
    ],
    [
      'a stop while the outcome is unknown, and stays so',
      settled({ kind: 'unknown', repeatable: false, message: 'Silent.' }),
      { stopped: true },
      { state: 'Unknown', technicalFailures: 2 },
      { state: 'Unknown', status: null, madePending: false, isLookUp: true },
    ],
    [
      'another look-up that finds nothing new',
      settled({ kind: 'unknown', repeatable: false, message: 'Silent.' }),
      {},
      { state: 'Unknown', technicalFailures: 1 },
      { state: 'Unknown', event: null, error: null, isLookUp: true, technicalFailures: 2 },
    ],
    [
      'the first look-up of one that became unknown without a word',
      settled({ kind: 'unknown', repeatable: false, message: 'Silent.' }),
      {},
      { state: 'Unknown' },
      { state: 'Unknown', event: expect.anything(), error: expect.anything(), isLookUp: true, technicalFailures: 1 },
    ],
    [
      'the look-up that uses up the retries',
      settled({ kind: 'unknown', repeatable: false, message: 'Silent.' }),
      {},
      { state: 'Unknown', technicalFailures: 2 },
      {
        state: 'Unknown',
        status: 'Pending',
        madePending: true,
        retriesExhausted: true,
        event: expect.objectContaining({ type: 'ScheduledOrderFailed' }),
      },
    ],
    [
      'a look-up after the retries were used up',
      settled({ kind: 'unknown', repeatable: false, message: 'Silent.' }),
      { status: 'Pending', madePending: true },
      { state: 'Unknown', technicalFailures: 3, retriesExhausted: true },
      { state: 'Unknown', status: null, retriesExhausted: true, event: null, error: null },
    ],
    [
      'a duplicate that no list shows',
      charge({ kind: 'unknown', repeatable: false, duplicate: true, message: 'Known.' }),
      {},
      {},
      { state: 'Unknown', isKnownToGateway: true },
    ],
    [
      'a stored answer that is not clear',
      settled({ kind: 'unknown', repeatable: false, replayed: true, message: 'Stored.' }),
      {},
      { state: 'Unknown' },
      { state: 'Unknown', isReplayed: true, isKnownToGateway: false },
    ],
    [
      'a stored answer that lists may be behind',
      settled({ kind: 'postponed', message: 'Stored.', retryAfterMs: 5_000, replayed: true }),
      {},
      { state: 'Unknown' },
      { state: 'Unknown', isReplayed: true, technicalFailures: 0, nextAttemptUtc: later(5_000), event: null },
    ],
    [
      'an amount that cannot be charged',
      charge({ kind: 'unchargeable', message: 'Too much.' }),
      {},
      {},
      { state: 'Failed', retriesExhausted: true, failure: failure('AmountNotChargeable', 'Too much.') },
    ],
    [
      'a missing item',
      { kind: 'failure', failure: failure('EmptyScheduledOrder', 'None.') },
      {},
      { state: 'Claimed', attempt: 0 },
      { state: 'Failed', retriesExhausted: true, attempt: 0 },
    ],
    [
      'a fault of ours',
      { kind: 'failure', failure: failure('Unknown', 'Oops.'), thrown: new Error('x') },
      {},
      { state: 'Claimed' },
      { state: 'Retrying', technicalFailures: 1 },
    ],
    [
      'a charge that could not be recorded',
      { kind: 'unrecorded', transactionId: 'pi_1', thrown: new Error('x') },
      {},
      {},
      { state: 'Unknown', transactionId: 'pi_1', failure: expect.objectContaining({ code: 99 }) },
    ],
    [
      '"never charged"',
      settled({ kind: 'notFound' }),
      {},
      { technicalFailures: 1 },
      { state: 'Retrying', attempt: 1, nextAttemptUtc: now, technicalFailures: 1 },
    ],
    [
      '"never charged" of what was given up',
      settled({ kind: 'notFound' }),
      { status: 'Pending' },
      { retriesExhausted: true },
      { state: 'Failed', retriesExhausted: true, status: null },
    ],
    [
      '"never charged" of what a person paused since',
      settled({ kind: 'notFound' }),
      paused,
      { retriesExhausted: true },
      { state: 'Failed', retriesExhausted: false, status: null },
    ],
    [
      '"not found" where it may not be repeated',
      settled({ kind: 'notFound' }, false),
      {},
      {},
      { state: 'Unknown', status: 'Pending', retriesExhausted: true, nextAttemptUtc: later(6 * HOUR) },
    ],
    [
      '"not found" once more',
      settled({ kind: 'notFound' }, false),
      { status: 'Pending' },
      { retriesExhausted: true },
      { state: 'Unknown', status: null, retriesExhausted: true, event: null, error: null },
    ],
    [
      'a look-up with refused credentials',
      settled({ kind: 'refused', message: 'Wrong key.' }),
      {},
      { state: 'Unknown' },
      {
        state: 'Unknown',
        technicalFailures: 0,
        nextAttemptUtc: later(30 * DAY),
        nextProbeUtc: later(15 * MINUTE),
        waitingSinceUtc: now,
      },
    ],
    [
      'a look-up behind an open breaker',
      settled({ kind: 'postponed', message: 'Broken.', retryAfterMs: 5_000 }),
      {},
      { state: 'Unknown' },
      {
        state: 'Unknown',
        technicalFailures: 0,
        nextAttemptUtc: later(5_000),
        failure: expect.objectContaining({ message: 'Broken.' }) as Failure,
        event: null,
        error: null,
      },
    ],
    [
      'a look-up without an answer',
      settled({ kind: 'unavailable', message: 'x' }),
      {},
      { state: 'Unknown', technicalFailures: 1 },
      { state: 'Unknown', technicalFailures: 2, nextAttemptUtc: later(5 * MINUTE) },
    ],
    [
      'a look-up that finds a decline',
      settled({ kind: 'declined', hard: false, message: 'No.' }),
      {},
      { state: 'Unknown', technicalFailures: 2 },
      { state: 'Retrying', paymentFailures: 1, technicalFailures: 2 },
    ],
  ])('%s', (_what, outcome, standing, leased, then) => {
    expect(decide({ ...cycle, ...leased }, { ...order, ...standing }, outcome, schedules, now)).toMatchObject(then);
  });

  it('is told so that the customer may read it, while the internals are for the shop', () => {
    const declined = charge({
      kind: 'declined',
      hard: false,
      message: 'Your card was declined.',
      detail: 'do_not_honor',
    });
    expect(decide(cycle, order, declined, schedules, now)).toMatchObject({
      event: {
        type: 'ScheduledOrderRetryScheduled',
        description:
          '2000 PaymentFailed: Your card was declined. The next try is on 2026-05-16 10:00 UTC. ' +
          'To pay with another card, put it on the order; then Process it now, or wait until that time.',
      },
      error: {
        Message: 'Your card was declined.',
        InnerExceptionInfo: { Message: 'do_not_honor', InnerExceptionInfo: null },
      },
    });
  });

  const ENDED =
    ' It is not tried again: the order is Pending. ' +
    'To pay with another card, put it on the order; then Process it now. Waiting does not help.';
  it.each<
    [what: string, outcome: FailedOutcome, leased: Partial<LeasedCycle>, standing: Partial<LockedOrder>, said: string]
  >([
    ['after the last decline', soft, { paymentFailures: 2 }, {}, `2000 PaymentFailed: No.${ENDED}`],
    ['after a decline for good', hard, {}, {}, `2000 PaymentFailed: Never.${ENDED}`],
    ['not of an order that a person paused', hard, {}, paused, '2000 PaymentFailed: Never.'],
    [
      'not where the card is not at fault',
      busy,
      { technicalFailures: 2 },
      {},
      '2001 GatewayCommunicationFailed: Busy.',
    ],
    [
      'not before a technical retry',
      busy,
      {},
      {},
      '2001 GatewayCommunicationFailed: Busy. The next try is on 2026-05-15 10:01 UTC.',
    ],
  ])('says what to do about the card: %s', (_what, outcome, leased, standing, said) => {
    const { event } = decide({ ...cycle, ...leased }, { ...order, ...standing }, outcome, schedules, now);
    expect(event?.description).toBe(said);
  });

  it('looks up every six hours what has no technical schedule', () => {
    expect(decide(cycle, order, silent, { payment: [], technical: [] }, now)).toMatchObject({
      state: 'Unknown',
      status: 'Pending',
      nextAttemptUtc: later(6 * HOUR),
    });
  });

  it.each([
    ['given up', hard, {}, {}, true],
    ['deleted', soft, { deleted: true }, {}, false],
    ['paused', soft, paused, { status: null }, false],
    ['rescheduled', soft, { deleted: true, ...movedTo(DAY) }, { status: null, nextOccurrenceUtc: undefined }, false],
  ])(
    'leaves no order Active where the calendar ends: one that is %s',
    (_what, outcome, standing, then, retriesExhausted) => {
      const last = { ...cycle, replacedUtc: new Date('9999-12-31T10:00:00Z') };
      expect(decide(last, { ...order, ...standing }, outcome, schedules, now)).toMatchObject({
        ...{ state: 'Failed', status: 'Pending', nextOccurrenceUtc: null, retriesExhausted },
        ...then,
      });
    },
  );

  it('counts what was passed over while it was tried', () => {
    const late = { ...cycle, dueUtc: later(-HOUR - 21 * DAY) };
    const since = { ...order, scheduleAnchorUtc: late.dueUtc };
    expect(decide(late, since, hard, schedules, now)).toMatchObject({
      missedOccurrences: 3,
      nextOccurrenceUtc: nextWeek,
    });
  });
});
