import type { LeasedCycle } from '../cycle.js';
import { completion } from './completion.js';

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
