import {
  type AuditedCycle,
  differencesOf,
  kindOfUnplaced,
  type ListedCharge,
  theirSide,
  unpaid,
} from './differences-of.js';

const DUE = new Date('2026-06-15T10:00:00Z');
const NEXT = new Date('2026-07-15T10:00:00Z');
const CHARGED = new Date('2026-06-15T10:01:00Z');
const LATER = new Date('2026-06-15T11:00:00Z');

const charge: ListedCharge = {
  transactionId: 'pi_1',
  isCharged: true,
  scheduledOrderId: 1,
  siteId: null,
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
  orderAmount: 1250,
  currencyIso: 'USD',
  gatewayCustomerId: 'cus_1',
  mayArrive: false,
};
const inState = (state: string): AuditedCycle => ({ ...paid, state, transactionId: null, orderId: null });

type Row = [what: string, Partial<ListedCharge>, AuditedCycle[], ...kinds: string[]];

describe('The audit of a charge', () => {
  test.each<Row>([
    ['finds nothing where it paid its cycle', {}, [paid]],
    ['finds nothing while its cycle is claimed', {}, [inState('Claimed')]],
    ['finds nothing while its cycle is charging', {}, [inState('Charging')]],
    ['finds nothing while its outcome is unknown', {}, [inState('Unknown')]],
    ['leaves another installation’s alone', { installation: 'other' }, []],
    ['leaves alone what names none', { installation: 'unnamed', dueUtc: null }, []],
    ['leaves alone a second charge that was voided', { transactionId: 'pi_2', isVoided: true }, [paid]],
    ['leaves alone a second charge that was refunded whole', { transactionId: 'pi_2', refunded: 1250 }, [paid]],
    ['finds a second one that was refunded in part', { transactionId: 'pi_2', refunded: 1249 }, [paid], 'TwoCharges'],
    ['leaves alone what names an occurrence of another installation', { installation: 'unnamed' }, []],
    [
      'finds one that is named by a cycle that has failed',
      {},
      [{ ...paid, state: 'Failed', orderId: null }],
      'ChargedAfterStop',
    ],
    [
      'finds a second one where the occurrence was also skipped',
      { transactionId: 'pi_2' },
      [inState('Skipped'), paid],
      'TwoCharges',
    ],
    ['finds nothing while another cycle of the occurrence is in flight', {}, [inState('Skipped'), inState('Unknown')]],
    ['finds one of an order without cycles', {}, [], 'ChargeWithoutCycle'],
    ['waits for one that is not decided, of an order without cycles', { isCharged: false }, []],
    ['waits for one that is not decided, of a cycle that was given up', { isCharged: false }, [inState('Failed')]],
    ['finds a second one that is not decided', { transactionId: 'pi_2', isCharged: false }, [paid], 'TwoCharges'],
    [
      'finds one of another occurrence only',
      {},
      [{ ...paid, dueUtc: NEXT, transactionId: 'pi_9' }],
      'ChargeWithoutCycle',
    ],
    ['finds one for which nothing was to be paid', {}, [{ ...paid, transactionId: null }], 'ChargeWithoutCycle'],
    ['finds one that is about to be tried again', {}, [inState('Retrying')], 'ChargeWithoutCycle'],
    ['finds nothing while a sending of it may arrive', {}, [{ ...inState('Retrying'), mayArrive: true }]],
    [
      'finds one that was given up, when a sending of it has arrived',
      {},
      [{ ...inState('Failed'), mayArrive: true }],
      'ChargedAfterStop',
    ],
    ['finds one that waits', {}, [inState('Waiting')], 'ChargeWithoutCycle'],
    ['finds a second one', { transactionId: 'pi_2' }, [paid], 'TwoCharges'],
    ['finds one that was skipped', {}, [inState('Skipped')], 'ChargedAfterStop'],
    ['finds one that was given up', {}, [inState('Failed')], 'ChargedAfterStop'],
    ['finds one that paid twice', {}, [paid, { ...paid, cycle: 2, dueUtc: NEXT }], 'TransactionTwice'],
    ['finds another amount', { amount: 1251 }, [paid], 'AmountDiffers'],
    ['finds nothing where a look-up found the amount', { amount: 1251 }, [{ ...paid, orderAmount: 1251 }]],
    ['finds another currency', { currencyIso: 'EUR' }, [paid], 'CurrencyDiffers'],
    ['finds another customer', { gatewayCustomerId: 'cus_2' }, [paid], 'CustomerDiffers'],
    ['finds another occurrence', { dueUtc: NEXT }, [paid], 'OccurrenceDiffers'],
    ['finds another order’s', { scheduledOrderId: 2 }, [paid], 'OccurrenceDiffers'],
    ['finds another installation’s that paid', { installation: 'other' }, [paid], 'ForeignCharge'],
    ['finds one that was voided, whatever its amount is then', { isVoided: true, amount: 0 }, [paid], 'Voided'],
    ['finds one that was refunded in part', { refunded: 1 }, [paid], 'RefundUnseen'],
    ['finds one that is disputed', { isDisputed: true }, [paid], 'DisputeUnseen'],
    ['finds nothing but that where one was voided, and refunded', { isVoided: true, refunded: 1 }, [paid], 'Voided'],
    ['does not compare the order where no occurrence is named', { scheduledOrderId: 2, dueUtc: null }, [paid]],
    [
      'does not compare what the ledger does not say',
      { amount: 1, currencyIso: 'EUR', gatewayCustomerId: 'cus_2' },
      [{ ...paid, amount: null, orderAmount: null, currencyIso: null, gatewayCustomerId: null }],
    ],
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
    const { differences } = differencesOf({ charges: [{ ...charge, ...about }], cycles });
    expect(differences.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('The audit of a charge whose cycle is in flight', () => {
  const second = { ...charge, transactionId: 'pi_2', chargedUtc: LATER };

  it.each(['Claimed', 'Charging', 'Unknown'])('waits for the outcome of one that is %s', (state) =>
    expect(differencesOf({ charges: [charge], cycles: [inState(state)] })).toEqual({ differences: [], open: [charge] }),
  );

  it('waits for the gateway’s decision when the cycle has ended', () => {
    const undecided = { ...charge, isCharged: false };
    expect(differencesOf({ charges: [undecided], cycles: [inState('Failed')] }).open).toEqual([undecided]);
  });

  it('finds the later one of two at once', () => {
    const cycle = inState('Unknown');
    expect(differencesOf({ charges: [second, charge], cycles: [cycle] })).toEqual({
      differences: [{ kind: 'TwoCharges', charge: second, cycle }],
      open: [second, charge],
    });
  });

  it('finds all but the first of many, in the order of their charges', () => {
    const third = { ...charge, transactionId: 'pi_3', chargedUtc: new Date(LATER.getTime() + 1) };
    const { differences } = differencesOf({ charges: [third, charge, second], cycles: [inState('Unknown')] });
    expect(differences.map((one) => one.charge)).toEqual([second, third]);
  });

  it('finds nothing in one charge of each of two orders, or of two occurrences', () => {
    const ofOther = { ...second, scheduledOrderId: 2 };
    const ofNext = { ...second, transactionId: 'pi_3', dueUtc: NEXT };
    const cycles = [
      inState('Unknown'),
      { ...inState('Unknown'), scheduledOrderId: 2 },
      { ...inState('Unknown'), cycle: 2, dueUtc: NEXT },
    ];
    const charges = [charge, ofOther, ofNext];
    expect(differencesOf({ charges, cycles })).toEqual({ differences: [], open: charges });
  });

  it('finds nothing in one that was given back', () => {
    const charges = [charge, { ...second, refunded: 1250 }];
    expect(differencesOf({ charges, cycles: [inState('Unknown')] }).differences).toEqual([]);
  });
});

it('A charge without an Order, of an occurrence without a cycle, is one without a cycle', () => {
  expect(kindOfUnplaced(null)).toBe('ChargeWithoutCycle');
});

it('What both sides say names the charge, or the cycle', () => {
  const named = differencesOf({ charges: [{ ...charge, amount: 1 }], cycles: [paid] }).differences;
  expect(named).toEqual([{ kind: 'AmountDiffers', charge: { ...charge, amount: 1 }, cycle: paid }]);
  const twice = { ...paid, cycle: 2 };
  expect(differencesOf({ charges: [charge], cycles: [paid, twice] }).differences).toEqual([
    { kind: 'TransactionTwice', charge, cycle: twice },
  ]);
  expect(differencesOf({ charges: [charge], cycles: [inState('Failed')] }).differences).toEqual([
    { kind: 'ChargedAfterStop', charge, cycle: inState('Failed') },
  ]);
  expect(unpaid(paid)).toEqual({ kind: 'CycleWithoutCharge', charge: null, cycle: paid });
  expect(theirSide(charge)).toEqual({
    TransactionId: 'pi_1',
    OccurrenceUtc: DUE.toISOString(),
    Installation: 'this',
    Amount: 1250,
    CurrencyIso: 'USD',
    GatewayCustomerId: 'cus_1',
    ChargedUtc: CHARGED.toISOString(),
  });
  expect(theirSide({ ...charge, dueUtc: null }).OccurrenceUtc).toBeNull();
});
