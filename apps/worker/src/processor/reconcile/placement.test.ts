import type { DifferenceKind } from '#libs/ledger';
import type { LedgerCycle } from '#libs/ledger';
import { type FoundCharge, type PlacedOrder, type Placement, placementOf } from './placement.js';

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
  attempt: 1,
  dueUtc: at('06-15T10:00'),
  amount: 1250,
  currencyIso: 'USD',
  chargedUtc: at('06-15T10:01'),
  isCharged: true,
  isDoubtful: false,
  isGivenBack: false,
};
/** As GatewayTwo lists it: it names the number of a cycle, and no currency. */
const oldForm: Partial<FoundCharge> = { dueUtc: null, currencyIso: null };
const settled: LedgerCycle = {
  cycle: 2,
  state: 'Completed',
  open: false,
  dueUtc: at('06-08T10:00'),
  replacedUtc: null,
  attempt: 1,
  transactionId: 'before',
  amount: 1250,
  currencyIso: 'USD',
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
  amount: 1250,
  currencyIso: 'USD',
  isLeased: false,
  isResolved: false,
  ...more,
});
const recorded = (dueUtc: Date, replacedUtc: Date | null = null): Placement => ({
  kind: 'new',
  dueUtc,
  replacedUtc,
  differs: null,
});
const held = (dueUtc: Date, differs: DifferenceKind = 'ChargeWithoutCycle'): Placement => ({
  kind: 'new',
  dueUtc,
  replacedUtc: null,
  differs,
});

const paysOpen: Placement = {
  kind: 'open',
  cycle: 3,
  dueUtc: at('06-15T10:00'),
  replacedUtc: null,
  differs: null,
};

const holdsOpen: Placement = { ...paysOpen, differs: 'ChargeWithoutCycle' };
const beside: Placement = { kind: 'beside', differs: 'ChargeWithoutCycle' };

type Row = [what: string, Partial<FoundCharge>, Partial<PlacedOrder>, LedgerCycle[], Placement];

describe('The place of a charge that the ledger lacks', () => {
  test.each<Row>([
    ['is the occurrence that is next', {}, {}, [settled], recorded(at('06-15T10:00'))],
    [
      'replaces what the next occurrence replaced',
      {},
      { replacedOccurrenceUtc: at('06-14T10:00') },
      [settled],
      recorded(at('06-15T10:00'), at('06-14T10:00')),
    ],
    [
      'is a later occurrence, when the ones before were settled by lost commits',
      { dueUtc: at('06-22T10:00'), chargedUtc: at('06-22T10:01') },
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
      'differs for a regular occurrence that the order has left behind',
      { dueUtc: at('06-08T10:00'), chargedUtc: at('06-15T10:01') },
      {},
      [],
      held(at('06-08T10:00')),
    ],
    [
      'differs for an occurrence after one that has not come',
      { dueUtc: at('06-22T10:00'), chargedUtc: at('06-12T10:00') },
      {},
      [settled],
      held(at('06-22T10:00')),
    ],
    [
      'differs for an occurrence that was skipped since',
      {},
      { nextOccurrenceUtc: at('06-22T10:00') },
      [{ ...settled, cycle: 3, state: 'Skipped', dueUtc: at('06-15T10:00'), transactionId: null }, settled],
      held(at('06-15T10:00'), 'ChargedAfterStop'),
    ],
    [
      'differs for an occurrence that another payment has paid',
      { dueUtc: at('06-08T10:00') },
      {},
      [settled],
      held(at('06-08T10:00'), 'TwoCharges'),
    ],
    [
      'differs for an occurrence that is settled, also beside a next one that has been taken up',
      { dueUtc: at('06-10T12:34') },
      {},
      [open('Waiting', { attempt: 0 }), { ...settled, dueUtc: at('06-10T12:34') }],
      { ...paysOpen, differs: 'TwoCharges' },
    ],
    ['is recorded whatever its amount', { amount: 1 }, {}, [settled], recorded(at('06-15T10:00'))],
    [
      'is the occurrence that a request has moved since',
      { dueUtc: at('06-15T10:00') },
      { nextOccurrenceUtc: at('06-17T10:00'), replacedOccurrenceUtc: at('06-15T10:00') },
      [settled],
      recorded(at('06-15T10:00')),
    ],
    ['differs in its currency', { currencyIso: 'EUR' }, {}, [settled], held(at('06-15T10:00'))],
    [
      'is what the open cycle of its occurrence has sent, although the order has another currency by now',
      { currencyIso: 'EUR' },
      {},
      [open('Unknown', { currencyIso: 'EUR' })],
      paysOpen,
    ],
    [
      'differs from an open cycle that has sent another currency',
      { currencyIso: 'EUR' },
      {},
      [open('Unknown')],
      beside,
    ],
    [
      'differs in its currency from what another occurrence has sent',
      { currencyIso: 'EUR', dueUtc: at('06-10T12:34') },
      {},
      [open('Unknown', { currencyIso: 'EUR' })],
      beside,
    ],
    ['differs in its customer', { isDoubtful: true }, {}, [settled], held(at('06-15T10:00'))],
    ['differs where it was given back', { isGivenBack: true }, {}, [settled], held(at('06-15T10:00'))],
    [
      'given back differs from the open cycle of its occurrence',
      { isGivenBack: true },
      {},
      [open('Retrying')],
      holdsOpen,
    ],
    [
      'given back holds what follows an open cycle of its occurrence, which may have been charged itself',
      { isGivenBack: true },
      {},
      [open('Unknown')],
      beside,
    ],
    ['in an old form is no occurrence of ours', oldForm, {}, [settled], held(at('06-15T10:01'))],
    [
      'in an old form holds the open cycle, for which nothing was sent yet',
      oldForm,
      {},
      [open('Waiting', { attempt: 0 })],
      holdsOpen,
    ],
    ['in an old form holds the open cycle that waits for its next try', oldForm, {}, [open('Retrying')], holdsOpen],
    ['in an old form differs from the open cycle that sent exactly this', oldForm, {}, [open('Unknown')], beside],
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
    ['is the open cycle that is being charged', {}, {}, [open('Charging'), settled], paysOpen],
    ['is the open cycle that waits for its next try', {}, {}, [open('Retrying'), settled], paysOpen],
    [
      'differs from an open cycle of another occurrence, which waits for its next try',
      { dueUtc: at('06-22T10:00') },
      {},
      [open('Retrying'), settled],
      holdsOpen,
    ],
    [
      'differs from an open cycle of another occurrence, which may have been charged itself',
      { dueUtc: at('06-22T10:00') },
      {},
      [open('Unknown'), settled],
      beside,
    ],
    ['differs from an open cycle in its customer', { isDoubtful: true }, {}, [open('Retrying')], holdsOpen],
    [
      'differs in its customer from an open cycle that may have been charged itself',
      { isDoubtful: true },
      {},
      [open('Charging')],
      beside,
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
