import type { LockedOrder } from '#libs/ledger';
import { failure } from '#libs/rules';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { FailedAttempt } from '../cycle/recorded.js';
import { decide, type FailedOutcome } from './decide.js';

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
  frozenAttempt: null,
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

const charge = (answer: Extract<FailedOutcome, { kind: 'charge' }>['answer']): FailedOutcome => ({
  kind: 'charge',
  answer,
});
const settled = (answer: Extract<FailedOutcome, { kind: 'inDoubt' }>['answer'], mayRepeat = true): FailedOutcome => ({
  kind: 'inDoubt',
  answer,
  mayRepeat,
});
const soft = charge({ kind: 'declined', hard: false, message: 'No.' });
const hard = charge({ kind: 'declined', hard: true, message: 'Never.' });
const busy = charge({ kind: 'unavailable', message: 'Busy.' });
const silent = charge({ kind: 'unknown', repeatable: true, message: 'Silent.' });
const refused = charge({ kind: 'refused', message: 'Wrong key.' });
const differs: FailedOutcome = { kind: 'failure', failure: failure('PaymentDiffers', 'Twice.') };
const givenBack = { kind: 'givenBack', transactionId: 'pi_1', message: 'Given back.', detail: 're_1' } as const;
const paidElsewhere: FailedOutcome = {
  kind: 'paidElsewhere',
  transactionId: 'pi_1',
  paid: { scheduledOrderId: 2, cycle: 1, message: 'It has paid another.' },
};
const broken = charge({ kind: 'postponed', message: 'Broken.', retryAfterMs: 30_000 });

const errorOf = (Message: string, detail?: string) => ({
  Message,
  InnerExceptionInfo: detail === undefined ? null : { Message: detail, InnerExceptionInfo: null },
});
const waits = (description: string) => ({ type: 'ScheduledOrderHeld', description }) as const;
const ended = (description: string) => ({ type: 'ScheduledOrderFailed', description }) as const;
const CANNOT_TELL =
  '2001 GatewayCommunicationFailed: The service cannot tell whether this cycle was charged: the shop has to look.';

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
      { state: 'Failed', retriesExhausted: true, status: 'Pending', nextOccurrenceUtc: nextWeek, paymentFailures: 3 },
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
      'a decline of an order whose date was taken away',
      soft,
      { rescheduledMeanwhile: true, nextOccurrenceUtc: null },
      {},
      { state: 'Retrying', nextAttemptUtc: later(DAY), nextOccurrenceUtc: later(DAY) },
    ],
    [
      'a decline of an order moved to the last time that there is',
      soft,
      { rescheduledMeanwhile: true, nextOccurrenceUtc: new Date('9999-12-31T23:59:59.999Z') },
      {},
      { state: 'Failed', retriesExhausted: true, status: 'Pending', paymentFailures: 1 },
    ],
    [
      'a decline of one that had waited',
      soft,
      {},
      { waitingSinceUtc: later(-DAY) },
      { state: 'Retrying', waitingSinceUtc: null },
    ],
    [
      'a decline of one that its worker was told to stop',
      soft,
      {},
      { isStopped: true },
      { state: 'Failed', retriesExhausted: false, status: null, event: ended('2000 PaymentFailed: No.') },
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
      { state: 'Failed', retriesExhausted: true, status: 'Pending', technicalFailures: 3, paymentFailures: 0 },
    ],
    [
      'silence',
      silent,
      {},
      {},
      {
        state: 'Unknown',
        attempt: 1,
        unsent: false,
        nextAttemptUtc: later(MINUTE),
        nextOccurrenceUtc: later(MINUTE),
        technicalFailures: 1,
        retriesExhausted: false,
        status: null,
        madePending: false,
        transactionId: null,
        isLookUp: false,
        isKnownToGateway: false,
        event: {
          type: 'ScheduledOrderRetryScheduled',
          description: '2001 GatewayCommunicationFailed: Silent. Whether it was charged is being found out.',
        },
        error: errorOf('Silent.'),
      },
    ],
    [
      'silence about a charge that the gateway has named',
      charge({ kind: 'unknown', repeatable: true, message: 'Silent.', transactionId: 'pi_1' }),
      movedTo(20 * HOUR),
      {},
      { state: 'Unknown', transactionId: 'pi_1', nextOccurrenceUtc: undefined },
    ],
    [
      'silence to the last',
      silent,
      {},
      { technicalFailures: 2 },
      {
        state: 'Unknown',
        nextAttemptUtc: later(5 * MINUTE),
        status: 'Pending',
        madePending: true,
        retriesExhausted: true,
        technicalFailures: 3,
        event: expect.objectContaining({ type: 'ScheduledOrderFailed' }),
      },
    ],
    [
      'silence about a paused order',
      silent,
      paused,
      { technicalFailures: 9 },
      { state: 'Unknown', status: null, madePending: false, retriesExhausted: true, nextOccurrenceUtc: undefined },
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
        nextOccurrenceUtc: later(30 * DAY),
        waitingSinceUtc: now,
        technicalFailures: 0,
        event: waits('1003 PaymentIntegrationNotFound: Wrong key.'),
        error: errorOf('Wrong key.'),
      },
    ],
    [
      'a missing integration',
      { kind: 'failure', failure: failure('PaymentIntegrationNotFound', 'None.') },
      {},
      { state: 'Claimed', attempt: 2 },
      { state: 'Waiting', attempt: 2, unsent: false, error: errorOf('None.'), nextProbeUtc: later(15 * MINUTE) },
    ],
    [
      'credentials that cannot be read',
      { kind: 'failure', failure: failure('PaymentIntegrationNotFound', 'None.'), thrown: new Error('no key') },
      {},
      { state: 'Claimed' },
      { state: 'Waiting', error: errorOf('no key') },
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
      { state: 'Failed', retriesExhausted: true, status: 'Pending', attempt: 0, unsent: true, waitingSinceUtc: null },
    ],
    [
      'refused credentials of a paused order',
      refused,
      paused,
      {},
      { state: 'Failed', retriesExhausted: false, status: null, attempt: 0, unsent: true, nextProbeUtc: null },
    ],
    [
      'a payment that differs',
      differs,
      {},
      { waitingSinceUtc: later(-DAY) },
      {
        state: 'Waiting',
        attempt: 0,
        unsent: true,
        waitingSinceUtc: null,
        heldFor: 1009,
        nextAttemptUtc: later(DAY),
        nextOccurrenceUtc: undefined,
        nextProbeUtc: null,
        event: waits('1009 PaymentDiffers: Twice.'),
        error: errorOf('Twice.'),
      },
    ],
    [
      'a payment that still differs',
      differs,
      {},
      { heldFor: 1009 },
      { state: 'Waiting', heldFor: 1009, event: null, error: null },
    ],
    [
      'a payment that differs, of a paused order',
      differs,
      paused,
      {},
      { state: 'Failed', retriesExhausted: false, attempt: 0, unsent: true, heldFor: null, error: null },
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
        nextOccurrenceUtc: later(30_000),
        technicalFailures: 0,
        failure: failure('GatewayCommunicationFailed', 'The payment gateway is not being called for the moment.'),
        event: null,
        error: null,
      },
    ],
    [
      'an open breaker for a paused order',
      broken,
      paused,
      {},
      { state: 'Failed', retriesExhausted: false, attempt: 0, unsent: true, error: null },
    ],
    [
      'an earlier attempt that may arrive, of one that waited for its integration',
      { kind: 'postponed', delayMs: HOUR, reason: 'It may arrive.', endsWait: true },
      {},
      { state: 'Claimed', waitingSinceUtc: later(-DAY) },
      {
        state: 'Retrying',
        waitingSinceUtc: null,
        nextAttemptUtc: later(HOUR),
        nextProbeUtc: null,
        failure: failure('GatewayCommunicationFailed', 'It may arrive.'),
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
        nextOccurrenceUtc: later(29 * DAY),
        nextProbeUtc: later(30_000),
        attempt: 0,
        unsent: true,
        failure: failure('PaymentIntegrationNotFound', 'The payment integration does not work yet.'),
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
        unsent: true,
        failure: null,
        event: null,
        error: null,
        nextOccurrenceUtc: nextWeek,
      },
    ],
    [
      'a found charge that is not this order’s',
      { kind: 'dismissed' },
      {},
      { state: 'Unknown', dueUtc: later(-HOUR - 21 * DAY) },
      {
        state: 'Failed',
        attempt: 1,
        unsent: false,
        missedOccurrences: 0,
        status: null,
        nextOccurrenceUtc: undefined,
        failure: null,
        event: null,
      },
    ],
    [
      'a found charge that is not this order’s, where the calendar ends',
      { kind: 'dismissed' },
      {},
      { state: 'Unknown', replacedUtc: new Date('9999-12-31T10:00:00Z') },
      { state: 'Failed', status: null, nextOccurrenceUtc: undefined },
    ],
    [
      'a found charge that does not fit',
      { kind: 'needsReview', reason: 'It does not fit.' },
      {},
      { state: 'Unknown' },
      {
        state: 'Unknown',
        status: null,
        madePending: false,
        retriesExhausted: true,
        beginsReview: false,
        nextAttemptUtc: later(6 * HOUR),
        failure: failure('PaymentDiffers', 'It does not fit.'),
        event: { type: 'ScheduledOrderFailed', description: CANNOT_TELL },
        error: errorOf('It does not fit.'),
      },
    ],
    [
      'a found charge that still does not fit',
      { kind: 'needsReview', reason: 'It does not fit.' },
      {},
      { state: 'Unknown', retriesExhausted: true },
      { state: 'Unknown', status: null, retriesExhausted: true, event: null, error: null },
    ],
    [
      'a transaction that has paid another Order',
      paidElsewhere,
      {},
      { retriesExhausted: true },
      {
        state: 'Unknown',
        status: 'Pending',
        beginsReview: true,
        failure: failure('PaymentDiffers', 'It has paid another.'),
        event: { type: 'ScheduledOrderFailed', description: CANNOT_TELL },
        error: errorOf('It has paid another.'),
      },
    ],
    [
      'a charge that was given back',
      { kind: 'givenBack', answer: givenBack },
      {},
      {},
      {
        state: 'Failed',
        retriesExhausted: true,
        status: 'Pending',
        transactionId: 'pi_1',
        failure: failure('GatewayCommunicationFailed', 'Given back.'),
        error: errorOf('Given back.', 're_1'),
      },
    ],
    [
      'a look-up that finds a charge that was given back',
      settled(givenBack),
      {},
      { state: 'Unknown' },
      { state: 'Failed', transactionId: 'pi_1', isLookUp: true, isKnownToGateway: false },
    ],
    [
      'a look-up that finds an amount that cannot be charged',
      settled({ kind: 'unchargeable', message: 'Too much.' }),
      {},
      { state: 'Unknown' },
      { state: 'Failed', failure: failure('AmountNotChargeable', 'Too much.'), isLookUp: true },
    ],
    [
      'a duplicate that a look-up does not find',
      settled({ kind: 'unknown', repeatable: false, duplicate: true, message: 'Known.', transactionId: 'pi_1' }),
      {},
      { state: 'Unknown' },
      { state: 'Unknown', isKnownToGateway: true, transactionId: 'pi_1' },
    ],
    [
      'a look-up of a found charge',
      {
        kind: 'inDoubt',
        answer: { kind: 'unknown', repeatable: false, message: 'x' },
        mayRepeat: false,
        isOfFoundCharge: true,
      },
      {},
      { state: 'Unknown' },
      { state: 'Unknown', isLookUp: false, isKnownToGateway: false, isReplayed: false },
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
      {
        state: 'Failed',
        attempt: 1,
        unsent: false,
        failure: null,
        event: null,
        error: null,
        nextOccurrenceUtc: nextWeek,
        isLookUp: true,
      },
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
      { state: 'Failed', retriesExhausted: true, attempt: 0, error: errorOf('None.') },
    ],
    [
      'a fault of ours',
      { kind: 'failure', failure: failure('Unknown', 'Oops.'), thrown: new Error('x') },
      {},
      { state: 'Claimed' },
      { state: 'Retrying', technicalFailures: 1, error: errorOf('x') },
    ],
    [
      'a gateway that was not to be reached before anything was sent',
      { kind: 'failure', failure: failure('GatewayCommunicationFailed', 'Away.') },
      {},
      { state: 'Claimed', technicalFailures: 1 },
      { state: 'Retrying', technicalFailures: 2, nextAttemptUtc: later(5 * MINUTE), error: errorOf('Away.') },
    ],
    [
      'a charge that could not be recorded, again',
      { kind: 'unrecorded', transactionId: 'pi_1', thrown: new Error('x') },
      {},
      { technicalFailures: 1 },
      {
        state: 'Unknown',
        nextAttemptUtc: later(MINUTE),
        transactionId: 'pi_1',
        failure: failure('Unknown', 'The order could not be processed for a technical reason.'),
        error: errorOf('x'),
      },
    ],
    [
      '"never charged"',
      settled({ kind: 'notFound' }),
      {},
      { technicalFailures: 1 },
      {
        state: 'Retrying',
        attempt: 1,
        nextAttemptUtc: now,
        technicalFailures: 1,
        isLookUp: true,
        failure: failure('GatewayCommunicationFailed', 'The payment gateway did not carry out the charge.'),
        error: errorOf('The payment gateway did not carry out the charge.'),
      },
    ],
    [
      '"never charged" of what was given up',
      settled({ kind: 'notFound' }),
      { status: 'Pending' },
      { retriesExhausted: true },
      { state: 'Failed', retriesExhausted: true, status: null },
    ],
    [
      '"never charged" of what is Pending only because it was unknown',
      settled({ kind: 'notFound' }),
      { status: 'Pending', madePending: true },
      { state: 'Unknown', technicalFailures: 2, retriesExhausted: true },
      {
        state: 'Retrying',
        status: 'Active',
        retriesExhausted: false,
        technicalFailures: 2,
        nextAttemptUtc: now,
        nextOccurrenceUtc: now,
        event: {
          type: 'ScheduledOrderRetryScheduled',
          description: expect.stringMatching(/ The order is Active again\.$/),
        },
      },
    ],
    [
      '"never charged" of what is Pending because look-ups have used up the retries',
      settled({ kind: 'notFound' }),
      { status: 'Pending', madePending: true },
      { state: 'Unknown', technicalFailures: 3, retriesExhausted: true },
      { state: 'Failed', retriesExhausted: true, status: null },
    ],
    [
      '"never charged" of what was made Pending for it, by a person',
      { kind: 'inDoubt', answer: { kind: 'notFound' }, mayRepeat: true, byPerson: true },
      { status: 'Pending', madePending: true },
      { state: 'Unknown', retriesExhausted: true },
      { state: 'Failed', retriesExhausted: true, status: null },
    ],
    [
      '"never charged" of what was made Pending for it, and deleted since',
      settled({ kind: 'notFound' }),
      { status: 'Pending', madePending: true, deleted: true },
      { state: 'Unknown', retriesExhausted: true },
      { state: 'Failed', status: null },
    ],
    [
      '"never charged" of what was made Pending for it, and a request stopped',
      settled({ kind: 'notFound' }),
      { status: 'Pending', madePending: true, stopped: true },
      { state: 'Unknown', retriesExhausted: true },
      { state: 'Failed', status: null },
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
      {
        state: 'Unknown',
        status: 'Pending',
        madePending: true,
        retriesExhausted: true,
        nextAttemptUtc: later(6 * HOUR),
        beginsReview: false,
        event: { type: 'ScheduledOrderFailed', description: CANNOT_TELL },
        error: errorOf('The service cannot tell whether this cycle was charged: the shop has to look.'),
      },
    ],
    [
      '"not found" of a paused order where it may not be repeated',
      settled({ kind: 'notFound' }, false),
      paused,
      {},
      { state: 'Unknown', status: null, madePending: false, nextOccurrenceUtc: undefined },
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
      settled({ kind: 'refused', message: 'Wrong key.', detail: 'revoked' }),
      {},
      { state: 'Unknown' },
      {
        state: 'Unknown',
        technicalFailures: 0,
        nextAttemptUtc: later(30 * DAY),
        nextProbeUtc: later(15 * MINUTE),
        waitingSinceUtc: now,
        status: null,
        failure: failure('PaymentIntegrationNotFound', 'Wrong key.'),
        event: waits('1003 PaymentIntegrationNotFound: Wrong key.'),
        error: errorOf('Wrong key.', 'revoked'),
      },
    ],
    [
      'a look-up with credentials that are still refused',
      settled({ kind: 'refused', message: 'Wrong key.' }),
      {},
      { state: 'Unknown', waitingSinceUtc: later(-DAY) },
      { state: 'Unknown', waitingSinceUtc: later(-DAY), event: null, error: null },
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
        failure: failure('GatewayCommunicationFailed', 'Broken.'),
        isLookUp: false,
        status: null,
        retriesExhausted: false,
        event: null,
        error: null,
      },
    ],
    [
      'a look-up without an answer',
      settled({ kind: 'unavailable', message: 'x', detail: 'reset' }),
      {},
      { state: 'Unknown' },
      {
        state: 'Unknown',
        technicalFailures: 1,
        nextAttemptUtc: later(MINUTE),
        transactionId: null,
        error: errorOf('x', 'reset'),
      },
    ],
    [
      'a look-up without an answer, again',
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

  it('is nothing but what it says', () => {
    expect(decide(cycle, order, soft, schedules, now)).toEqual({
      cycle,
      state: 'Retrying',
      attempt: 1,
      unsent: false,
      isLookUp: false,
      isKnownToGateway: false,
      isReplayed: false,
      beginsReview: false,
      madePending: false,
      nextAttemptUtc: later(DAY),
      nextProbeUtc: null,
      paymentFailures: 1,
      technicalFailures: 0,
      retriesExhausted: false,
      waitingSinceUtc: null,
      heldFor: null,
      missedOccurrences: 0,
      failure: failure('PaymentFailed', 'No.'),
      transactionId: null,
      status: null,
      nextOccurrenceUtc: later(DAY),
      event: { type: 'ScheduledOrderRetryScheduled', description: expect.stringMatching(/^2000 PaymentFailed: No\./) },
      error: errorOf('No.'),
    });
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
    [
      what: string,
      outcome: FailedOutcome,
      leased: Partial<LeasedCycle>,
      standing: Partial<LockedOrder>,
      description: string,
    ]
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
  ])('says what to do about the card: %s', (_what, outcome, leased, standing, description) => {
    const { event } = decide({ ...cycle, ...leased }, { ...order, ...standing }, outcome, schedules, now);
    expect(event?.description).toBe(description);
  });

  it('goes on with the last time of the technical schedule, and stays exhausted also where nothing can be asked', () => {
    const longer = { payment: [], technical: [MINUTE, 5 * MINUTE, HOUR] };
    const last = { ...cycle, state: 'Unknown', technicalFailures: 3, retriesExhausted: true } as const;
    expect(decide(last, order, silent, longer, now)).toMatchObject({ nextAttemptUtc: later(HOUR) });
    const postponed = settled({ kind: 'postponed', message: 'Broken.', retryAfterMs: 5_000 });
    expect(decide(last, order, postponed, longer, now)).toMatchObject({ retriesExhausted: true });
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
