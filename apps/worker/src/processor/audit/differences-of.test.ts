import { type AuditedCycle, differencesOf, type ListedCharge } from './differences-of.js';

const DUE = new Date('2026-06-15T10:00:00Z');
const NEXT = new Date('2026-07-15T10:00:00Z');
const CHARGED = new Date('2026-06-15T10:01:00Z');
const LATER = new Date('2026-06-15T11:00:00Z');

const charge: ListedCharge = {
  transactionId: 'pi_1',
  scheduledOrderId: 1,
  dueUtc: DUE,
  installation: 'this',
  amount: 1250,
  currencyIso: 'USD',
  gatewayCustomerId: 'cus_1',
  chargedUtc: CHARGED,
  refunded: 0,
  isVoided: false,
  isDisputed: false,
};
const paid: AuditedCycle = {
  scheduledOrderId: 1,
  cycle: 1,
  state: 'Completed',
  dueUtc: new Date(DUE.getTime() + 250),
  transactionId: 'pi_1',
  orderId: 9,
  amount: 1250,
  currencyIso: 'USD',
  gatewayCustomerId: 'cus_1',
};
const inState = (state: string): AuditedCycle => ({ ...paid, state, transactionId: null, orderId: null });

type Row = [what: string, Partial<ListedCharge>, AuditedCycle[], ...kinds: string[]];

describe('The audit of a charge', () => {
  test.each<Row>([
    ['finds nothing where it paid its cycle', {}, [paid]],
    ['finds nothing before it is settled', { chargedUtc: LATER }, []],
    ['finds nothing while its cycle is claimed', {}, [inState('Claimed')]],
    ['finds nothing while its cycle is charging', {}, [inState('Charging')]],
    ['finds nothing while its outcome is unknown', {}, [inState('Unknown')]],
    ['leaves another installation’s alone', { installation: 'other' }, []],
    ['leaves alone what names none', { installation: 'unnamed', dueUtc: null }, []],
    ['leaves alone a second charge that was voided', { transactionId: 'pi_2', isVoided: true }, [paid]],
    ['leaves alone a second charge that was refunded whole', { transactionId: 'pi_2', refunded: 1250 }, [paid]],
    ['finds one of an order without cycles', {}, [], 'ChargeWithoutCycle'],
    [
      'finds one of another occurrence only',
      {},
      [{ ...paid, dueUtc: NEXT, transactionId: 'pi_9' }],
      'ChargeWithoutCycle',
    ],
    ['finds one for which nothing was to be paid', {}, [{ ...paid, transactionId: null }], 'ChargeWithoutCycle'],
    ['finds one that is about to be tried again', {}, [inState('Retrying')], 'ChargeWithoutCycle'],
    ['finds one that waits', {}, [inState('Waiting')], 'ChargeWithoutCycle'],
    ['finds a second one', { transactionId: 'pi_2' }, [paid], 'TwoCharges'],
    ['finds one that was skipped', {}, [inState('Skipped')], 'ChargedAfterStop'],
    ['finds one that was given up', {}, [inState('Failed')], 'ChargedAfterStop'],
    ['finds one that paid twice', {}, [paid, { ...paid, cycle: 2, dueUtc: NEXT }], 'TransactionTwice'],
    ['finds another amount', { amount: 1251 }, [paid], 'AmountDiffers'],
    ['finds another currency', { currencyIso: 'EUR' }, [paid], 'CurrencyDiffers'],
    ['finds another customer', { gatewayCustomerId: 'cus_2' }, [paid], 'CustomerDiffers'],
    ['finds another occurrence', { dueUtc: NEXT }, [paid], 'OccurrenceDiffers'],
    ['finds another installation’s that paid', { installation: 'other' }, [paid], 'ForeignCharge'],
    ['finds one that was voided', { isVoided: true }, [paid], 'Voided'],
    ['finds one that was refunded in part', { refunded: 1 }, [paid], 'RefundUnseen'],
    ['finds one that is disputed', { isDisputed: true }, [paid], 'DisputeUnseen'],
    [
      'does not compare what the gateway does not say',
      { currencyIso: null, gatewayCustomerId: null, dueUtc: null },
      [paid],
    ],
    [
      'finds everything that differs',
      { amount: 1, currencyIso: 'EUR', refunded: 1, isDisputed: true },
      [paid],
      ...['AmountDiffers', 'CurrencyDiffers', 'RefundUnseen', 'DisputeUnseen'],
    ],
  ])('%s', (_, about, cycles, ...kinds) => {
    const books = { charges: [{ ...charge, ...about }], cycles, expected: [], settledBefore: LATER };
    expect(differencesOf(books).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('The audit of a completed cycle', () => {
  const of = (charges: readonly ListedCharge[]) =>
    differencesOf({ charges, cycles: [paid], expected: [paid], settledBefore: LATER });

  it('finds nothing where its payment is listed', () => expect(of([charge])).toEqual([]));

  it('finds one without a payment', () =>
    expect(of([])).toEqual([{ kind: 'CycleWithoutCharge', charge: null, cycle: paid }]));

  it('finds both where another payment is listed', () =>
    expect(of([{ ...charge, transactionId: 'pi_2' }]).map(({ kind }) => kind)).toEqual([
      'TwoCharges',
      'CycleWithoutCharge',
    ]));
});
