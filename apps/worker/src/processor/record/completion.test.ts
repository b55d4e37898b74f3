import type { LeasedCycle } from '../cycle/cycle.js';
import { type CompletedOutcome, completion, completionOf } from './completion.js';

const at = (time: string) => new Date(`2026-05-15T${time}Z`);

/** Due at 9:00; its charge was found in the gateway's books, made at 9:01. */
const cycle: LeasedCycle = {
  scheduledOrderId: 1,
  cycle: 4,
  siteId: 1,
  attempt: 1,
  paymentMethodType: 'GatewayOne',
  state: 'Unknown',
  retriesExhausted: false,
  presentUtc: null,
  isStopped: false,
  heldFor: null,
  heldBy: null,
  orderId: 9,
  dueUtc: at('09:00:00'),
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
const outcome = {
  kind: 'completed',
  basis: null,
  transactionId: 'pi_1',
  chargedAmount: null,
  foundUtc: at('09:01:00'),
} as const;
const order = {
  version: '1',
  status: 'Active',
  deleted: false,
  frequencyType: 'Days',
  frequency: 17,
  rescheduledMeanwhile: false,
  madePending: false,
  nextOccurrenceUtc: null,
} as const;
const paid = { amount: 1250, currencyIso: 'USD', leftOut: [] };

describe('Where an order goes after a charge that was found', () => {
  it.each([
    ['the first occurrence after the charge', at('09:00:00'), new Date('2026-06-01T09:00:00Z')],
    ['not the anchor of a frequency that was changed since', at('09:30:00'), new Date('2026-06-01T09:30:00Z')],
  ])('is %s', (_, scheduleAnchorUtc, nextUtc) => {
    const now = at('10:00:00');
    expect(completion(cycle, outcome, { ...order, scheduleAnchorUtc }, paid, now)).toMatchObject({ nextUtc });
  });
});

it('names the occurrence by its date: the number counts skipped ones too, and no shop knows it', () => {
  const done = completion(cycle, outcome, { ...order, scheduleAnchorUtc: at('09:00:00') }, paid, at('10:00:00'));
  expect(done.description).toBe('The occurrence of 2026-05-15 09:00 UTC was processed: 12.50 USD paid.');
});

describe('What is written for a paid cycle', () => {
  const anchored = { ...order, scheduleAnchorUtc: at('09:00:00') };
  const NAMED = 'The occurrence of 2026-05-15 09:00 UTC was processed: ';
  const LAST = { replacedUtc: new Date('9999-12-31T10:00:00Z') };
  const OVER = `${NAMED}12.50 USD paid. Its schedule has no further occurrence before the year 10000: the order is Pending.`;
  const madePending = { madePending: true, status: 'Pending' } as const;
  const present = new Date('2026-07-01T09:00:00Z');
  const next = new Date('2026-06-01T09:00:00Z');

  type Changes = {
    readonly cycle?: Partial<LeasedCycle>;
    readonly outcome?: Partial<CompletedOutcome>;
    readonly order?: Partial<Parameters<typeof completion>[2]>;
    readonly paid?: Partial<Parameters<typeof completion>[3]>;
    readonly now?: Date;
  };
  const written = ({ now = at('10:00:00'), ...changes }: Changes) =>
    completion(
      { ...cycle, ...changes.cycle },
      { ...outcome, ...changes.outcome },
      { ...anchored, ...changes.order },
      { ...paid, ...changes.paid },
      now,
    );

  it('is nothing but what it says', () => {
    expect(written({})).toEqual({
      cycle,
      version: '1',
      rescheduledMeanwhile: false,
      nextUtc: next,
      missedOccurrences: 0,
      totals: null,
      transactionId: 'pi_1',
      charged: null,
      chargedAmount: null,
      foundAt: null,
      reactivates: false,
      description: `${NAMED}12.50 USD paid.`,
    });
  });

  it.each<[what: string, changes: Changes, then: Partial<ReturnType<typeof completion>>]>([
    ['nothing to pay', { paid: { amount: 0 } }, { description: `${NAMED}nothing was to be paid.` }],
    [
      'what was left out',
      { paid: { leftOut: ['Tea', 'Salt'] } },
      { description: `${NAMED}12.50 USD paid. Left out because unavailable: Tea, Salt.` },
    ],
    [
      'another amount, at another integration',
      { outcome: { chargedAmount: 1180, foundAt: { integrationId: 5, type: 'GatewayTwo' } } },
      {
        chargedAmount: 1180,
        charged: '11.80',
        foundAt: { integrationId: 5, type: 'GatewayTwo' },
        description: `${NAMED}11.80 USD paid.`,
      },
    ],
    [
      'a missed occurrence',
      { outcome: { foundUtc: null }, now: new Date('2026-06-02T10:00:00Z') },
      {
        missedOccurrences: 1,
        nextUtc: new Date('2026-06-18T09:00:00Z'),
        description: `${NAMED}12.50 USD paid. One missed occurrence was passed over.`,
      },
    ],
    [
      'two missed occurrences',
      { outcome: { foundUtc: null }, now: new Date('2026-06-19T10:00:00Z') },
      { missedOccurrences: 2, description: `${NAMED}12.50 USD paid. 2 missed occurrences were passed over.` },
    ],
    ['the end of the calendar', { cycle: LAST }, { nextUtc: null, reactivates: false, description: OVER }],
    [
      'the end of the calendar, of an order that was rescheduled',
      { cycle: LAST, order: { rescheduledMeanwhile: true } },
      { nextUtc: null, rescheduledMeanwhile: true, description: `${NAMED}12.50 USD paid.` },
    ],
    [
      'an order without a frequency',
      { order: { frequency: null, frequencyType: null } },
      { nextUtc: null, description: `${NAMED}12.50 USD paid.` },
    ],
    [
      'an order that was Pending because of it',
      { order: madePending },
      { reactivates: true, description: `${NAMED}12.50 USD paid. The order is Active again.` },
    ],
    ['an order that somebody made Pending', { order: { status: 'Pending' } }, { reactivates: false }],
    ['an order that somebody paused since', { order: { ...madePending, status: 'Paused' } }, { reactivates: false }],
    ['an order that was deleted since', { order: { ...madePending, deleted: true } }, { reactivates: false }],
    ['an order whose calendar is over', { order: madePending, cycle: LAST }, { reactivates: false, description: OVER }],
    [
      'a reviewed charge of an order that has gone on',
      { outcome: { wasReviewed: true }, order: { nextOccurrenceUtc: present } },
      { nextUtc: present },
    ],
    [
      'a reviewed charge of an order that is still there',
      { outcome: { wasReviewed: true }, order: { nextOccurrenceUtc: at('09:00:00') } },
      { nextUtc: next },
    ],
    [
      'a reviewed charge of an order without a date',
      { outcome: { wasReviewed: true }, order: { nextOccurrenceUtc: null } },
      { nextUtc: next },
    ],
    [
      'a reviewed charge at the end of the calendar',
      { cycle: LAST, outcome: { wasReviewed: true }, order: { nextOccurrenceUtc: present } },
      { nextUtc: null },
    ],
    ['a charge that nobody had to review', { order: { nextOccurrenceUtc: present } }, { nextUtc: next }],
  ])('says %s', (_, changes, then) => {
    expect(written(changes)).toMatchObject(then);
  });

  describe('as it was priced', () => {
    const quote = { shippingTotal: 100, taxTotal: 20, total: 1250, currencyIso: 'USD' };
    const priced = { ...anchored, rescheduledMeanwhile: true, madePending: true };
    const basis = { order: priced, quote, leftOut: ['Tea'] } as unknown as NonNullable<CompletedOutcome['basis']>;
    const asPriced = (changes: Partial<CompletedOutcome>) =>
      completionOf(cycle, { ...outcome, foundUtc: null, basis, ...changes }, at('10:00:00'));

    it('has the new totals, and is of an order that nobody has changed', () => {
      expect(asPriced({})).toMatchObject({
        totals: quote,
        nextUtc: next,
        rescheduledMeanwhile: false,
        reactivates: false,
        description: `${NAMED}12.50 USD paid. Left out because unavailable: Tea.`,
      });
    });

    it.each([{ basis: null }, { chargedAmount: 1180 }])('is not known where it is not that: %j', (changes) => {
      expect(asPriced(changes)).toBeNull();
    });
  });
});
