import { type FoundCharge, type LedgerCycle, type PlacedOrder, type Placement, placementOf } from './placement.js';

const at = (text: string) => new Date(`2026-${text}:00Z`);

/** Weekly on Mondays at 10:00. */
const order: PlacedOrder = {
  currencyIso: 'USD',
  nextOccurrenceUtc: at('06-15T10:00'),
  replacedOccurrenceUtc: null,
  rule: { frequencyType: 'Weeks', frequency: 1 },
  anchor: at('06-01T10:00'),
  archivedCycle: 0,
};
const charge: FoundCharge = {
  paymentIntegrationId: 1,
  transactionId: 'found',
  scheduledOrderId: 1,
  cycle: 3,
  attempt: 1,
  dueUtc: at('06-15T10:00'),
  amount: 1250,
  currencyIso: 'USD',
  chargedUtc: at('06-15T10:01'),
  isCharged: true,
  hasUnknownCustomer: false,
};
const settled: LedgerCycle = {
  cycle: 2,
  state: 'Completed',
  open: false,
  dueUtc: at('06-08T10:00'),
  replacedUtc: null,
  attempt: 1,
  transactionId: 'before',
  isLeased: false,
  isResolved: false,
};
const open = (state: string, more: Partial<LedgerCycle> = {}): LedgerCycle => ({
  cycle: 3,
  state,
  open: true,
  dueUtc: at('06-15T10:00'),
  replacedUtc: null,
  attempt: 1,
  transactionId: null,
  isLeased: false,
  isResolved: false,
  ...more,
});
const recorded = (dueUtc: Date, replacedUtc: Date | null = null): Placement => ({
  kind: 'new',
  dueUtc,
  replacedUtc,
  needsReview: false,
});
const inReview = (dueUtc: Date): Placement => ({ kind: 'new', dueUtc, replacedUtc: null, needsReview: true });

const paysOpen: Placement = {
  kind: 'open',
  cycle: 3,
  dueUtc: at('06-15T10:00'),
  replacedUtc: null,
  needsReview: false,
};

type Row = [what: string, Partial<FoundCharge>, Partial<PlacedOrder>, LedgerCycle[], Placement];

describe('The place of a charge that the ledger lacks', () => {
  test.each<Row>([
    ['is the occurrence that is next', {}, {}, [settled], recorded(at('06-15T10:00'))],
    ['is that occurrence whatever its number', { cycle: 7 }, {}, [settled], recorded(at('06-15T10:00'))],
    [
      'replaces what the next occurrence replaced',
      {},
      { replacedOccurrenceUtc: at('06-14T10:00') },
      [settled],
      recorded(at('06-15T10:00'), at('06-14T10:00')),
    ],
    [
      'is a later occurrence, when the ones before were settled by lost commits',
      { dueUtc: at('06-22T10:00'), chargedUtc: at('06-22T10:01'), cycle: 4 },
      {},
      [settled],
      recorded(at('06-22T10:00')),
    ],
    [
      'is a Process that is lost, in place of the next occurrence',
      { dueUtc: at('06-10T12:34'), chargedUtc: at('06-10T12:34') },
      {},
      [settled],
      recorded(at('06-10T12:34'), at('06-15T10:00')),
    ],
    [
      'cannot be told for a regular occurrence that the order has left behind',
      { dueUtc: at('06-08T10:00'), chargedUtc: at('06-15T10:01') },
      {},
      [],
      inReview(at('06-08T10:00')),
    ],
    [
      'cannot be told for an occurrence after one that has not come',
      { dueUtc: at('06-22T10:00'), chargedUtc: at('06-12T10:00') },
      {},
      [settled],
      inReview(at('06-22T10:00')),
    ],
    [
      'cannot be told for an occurrence that was skipped since',
      {},
      { nextOccurrenceUtc: at('06-22T10:00') },
      [{ ...settled, cycle: 3, state: 'Skipped', dueUtc: at('06-15T10:00'), transactionId: null }, settled],
      inReview(at('06-15T10:00')),
    ],
    ['cannot be told in another currency', { currencyIso: 'EUR' }, {}, [settled], inReview(at('06-15T10:00'))],
    ['cannot be told of an unknown customer', { hasUnknownCustomer: true }, {}, [settled], inReview(at('06-15T10:00'))],
    [
      'without a date is the occurrence that was due then',
      { dueUtc: null, currencyIso: null, cycle: 9 },
      {},
      [settled],
      recorded(at('06-15T10:00')),
    ],
    [
      'without a date, before the next occurrence, is a Process that is lost',
      { dueUtc: null, chargedUtc: at('06-10T12:34') },
      {},
      [settled],
      recorded(at('06-10T12:34'), at('06-15T10:00')),
    ],
    [
      'without a date has the number after those of the archive, where the ledger has none',
      { dueUtc: null, chargedUtc: at('06-10T12:34'), cycle: 8 },
      { archivedCycle: 7 },
      [],
      recorded(at('06-10T12:34'), at('06-15T10:00')),
    ],
    [
      'without a date, before the next occurrence, cannot be told by another number',
      { dueUtc: null, chargedUtc: at('06-10T12:34'), cycle: 5 },
      {},
      [settled],
      inReview(at('06-10T12:34')),
    ],
    [
      'without a date cannot be told by the number of a settled cycle',
      { dueUtc: null, cycle: 2 },
      {},
      [settled],
      inReview(at('06-15T10:01')),
    ],
    [
      'is a cycle of its own for an order without a schedule',
      {},
      { nextOccurrenceUtc: null, rule: null },
      [settled],
      recorded(at('06-15T10:00')),
    ],
    ['is in the ledger already', { transactionId: 'before' }, {}, [settled], { kind: 'known' }],
    ['is the open cycle', {}, {}, [open('Unknown'), settled], paysOpen],
    [
      'is found by the open cycle itself while it is not decided',
      { isCharged: false },
      {},
      [open('Unknown')],
      { kind: 'known' },
    ],
    ['is the open cycle of another number', { cycle: 4 }, {}, [open('Charging'), settled], paysOpen],
    ['is the open cycle that waits for its next try', {}, {}, [open('Retrying'), settled], paysOpen],
    [
      'cannot be told beside an open cycle of another occurrence',
      { dueUtc: at('06-22T10:00'), cycle: 4 },
      {},
      [open('Unknown'), settled],
      { ...paysOpen, needsReview: true },
    ],
    [
      'waits for an open cycle that is settled already',
      {},
      {},
      [open('Unknown', { isResolved: true })],
      { kind: 'later' },
    ],
  ])('%s', (_, about, stands, cycles, expected) => {
    expect(placementOf({ ...charge, ...about }, { ...order, ...stands }, cycles)).toEqual(expected);
  });
});
