import type { ClaimedPush } from '#libs/ledger';
import type { ShopOrder } from '#libs/shops';
import { afterLookUp, afterNotDone, judge, mayBeThere, underWaySince } from './result.js';

const POLICY = { pushRetryScheduleMs: [60_000, 300_000], pushUnknownWaitMs: 600_000 };
const at = (time: string) => new Date(`2026-11-24T${time}Z`);
const DUE = at('10:30:00');
const NAME = `0f3a9c1e-12-${(DUE.getTime() / 1_000).toString(36)}`;

/** Claimed at 12:00. */
const row = (change: Partial<ClaimedPush> = {}): ClaimedPush => ({
  ...{ scheduledOrderId: 12, cycle: 4, siteId: 1, orderId: 912, pushName: NAME, state: 'Waiting' },
  ...{ attempts: 0, claim: 1, foundNothing: 0, looksUpFirst: false, sentUtc: null, shopOrderId: null },
  ...{ message: null, sends: 0, tookOthers: false, worksAgain: false, isLinked: false, removingTwins: [] },
  ...{ createdUtc: at('10:31:00'), nowUtc: at('12:00:00'), restoredUtc: null, taxDifference: 'Accept' },
  ...{ pushAnyway: false, shopFailures: 0, receiver: 'WooCommerceRest', url: null, path: null, authMode: 'Header' },
  ...{ apiKey1: null, apiKey2: null, secret: '', previousSecret: null },
  ...change,
});
const order = (change: Partial<ShopOrder> = {}): ShopOrder => ({
  ...{ id: '7', number: '7', state: 'Unpaid', currencyIso: 'USD', total: '12.50', taxTotal: '0.00' },
  lines: [],
  ...change,
});

describe('Something may be under way', () => {
  it.each<[string, Partial<ClaimedPush>, Date | null, boolean]>([
    ['for nothing that was never sent', {}, null, false],
    [
      'since it was sent, while its answer is not written',
      { state: 'Sending', sentUtc: at('11:59:00') },
      at('11:59:00'),
      true,
    ],
    ['since then, while its outcome is unknown', { state: 'Unknown', sentUtc: at('11:00:00') }, at('11:00:00'), true],
    ['no more, once its outcome is known', { sentUtc: at('11:00:00'), shopOrderId: '7' }, null, true],
    ['no more, where it was not done; an earlier one may come late', { sentUtc: at('11:00:00') }, null, true],
    ['since commits were lost, for what was written before', { restoredUtc: at('11:50:00') }, at('11:50:00'), true],
    [
      'since then, for what was due before',
      { createdUtc: at('11:55:00'), restoredUtc: at('11:50:00') },
      at('11:50:00'),
      true,
    ],
    [
      'since then, whatever was sent before',
      { state: 'Unknown', sentUtc: at('11:00:00'), restoredUtc: at('11:50:00') },
      at('11:50:00'),
      true,
    ],
    [
      'since it was sent again after that',
      { state: 'Unknown', sentUtc: at('11:55:00'), restoredUtc: at('11:50:00') },
      at('11:55:00'),
      true,
    ],
    ['not for what fell due after that', { createdUtc: at('10:31:00'), restoredUtc: at('10:00:00') }, null, false],
  ])('%s', (_, change, expected, isLookedUp) => {
    expect([underWaySince(row(change)), mayBeThere(row(change))]).toEqual([expected, isLookedUp]);
  });
});

describe('After a look-up', () => {
  const next = (change: Partial<ClaimedPush>, ...orders: readonly ShopOrder[]) => {
    const claimed = row(change);
    const found = afterLookUp(claimed, orders, judge(claimed, orders), POLICY);
    if (found.step !== 'record') return [found.step];
    const { state, nextMs, report } = found.result;
    return [state, nextMs, report?.message ?? null];
  };
  const CAME_UP =
    'It came up in the shop as 7, unpaid, and was deleted, for its customer has paid: Retry makes it again.';
  const TWICE = 'The shop has it twice, paid: order 7 (paid), order 8 (paid).';
  const unknown = { state: 'Unknown', sentUtc: at('11:55:00') } as const;
  const over = { state: 'Unknown', sentUtc: at('11:49:00') } as const;

  it.each<[string, Partial<ClaimedPush>, readonly ShopOrder[], readonly unknown[]]>([
    ['that a person has asked for: nothing is there', { looksUpFirst: true }, [], ['create']],
    ['nothing is there yet', unknown, [], ['Unknown', 300_000, 'Whether the shop has taken it is not known yet.']],
    [
      'nothing is there, for the first time after the wait',
      over,
      [],
      ['Unknown', 60_000, 'Whether the shop has taken it is not known yet.'],
    ],
    [
      'nothing is there, again before the end of the wait',
      { ...unknown, foundNothing: 4 },
      [],
      ['Unknown', 300_000, 'Whether the shop has taken it is not known yet.'],
    ],
    ['nothing is there, again after the wait', { ...over, foundNothing: 1 }, [], ['create']],
    [
      'nothing is there after the second create, which waits longer',
      { ...over, foundNothing: 1, sends: 2 },
      [],
      ['Unknown', 600_000, 'Whether the shop has taken it is not known yet.'],
    ],
    [
      'nothing is there after the third create, while the shop took others',
      { state: 'Unknown', sentUtc: at('05:59:00'), foundNothing: 1, sends: 3, tookOthers: true },
      [],
      ['Differs', null, '3 requests, and no order in the shop: look there before it is tried again.'],
    ],
    [
      'nothing is there after the third create, and the shop took no others',
      { state: 'Unknown', sentUtc: at('05:59:00'), foundNothing: 1, sends: 3 },
      [],
      ['create'],
    ],
    [
      'nothing is there for a week, whatever the shop took',
      { state: 'Unknown', sentUtc: new Date('2026-11-23T11:00:00Z'), foundNothing: 1, sends: 10 },
      [],
      ['Differs', null, '10 requests, and no order in the shop: look there before it is tried again.'],
    ],
    [
      'nothing is there after the second create, and the shop has taken another since',
      { ...over, foundNothing: 1, sends: 2, worksAgain: true },
      [],
      ['create'],
    ],
    ['the third create is there', { ...over, foundNothing: 1, sends: 3 }, [order()], ['settle']],
    [
      'its third payment has not come after the wait',
      { ...over, shopOrderId: '7', foundNothing: 1, sends: 3, tookOthers: true },
      [order()],
      ['Differs', null, '3 requests, and no payment in the shop: look there before it is tried again.'],
    ],
    ['it has failed, and is not there', { state: 'Failed' }, [], ['Failed', null, null]],
    [
      'its third payment has not come, and the shop has taken another since',
      { ...over, shopOrderId: '7', foundNothing: 1, sends: 3, worksAgain: true },
      [order()],
      ['settle'],
    ],
    [
      'it has failed, and comes up unpaid',
      { state: 'Failed', message: 'No.' },
      [order(), order({ id: '8', state: 'Draft' })],
      ['Failed', null, `${CAME_UP} No.`],
    ],
    ['it has failed, and comes up paid', { state: 'Failed' }, [order({ state: 'Paid' })], ['settle']],
    [
      'a person knows that it is not there, and it comes up',
      { state: 'Differs' },
      [order()],
      ['Differs', null, CAME_UP],
    ],
    [
      'it differs, unpaid, and is there paid as another one',
      { state: 'Differs', shopOrderId: '7' },
      [order(), order({ id: '8', state: 'Paid' })],
      ['Differs', null, 'It stands as 8 now.'],
    ],
    [
      'it is linked, and comes up unpaid besides',
      { state: 'Pushed', shopOrderId: '555', isLinked: true },
      [order()],
      ['Pushed', null, null],
    ],
    [
      'it is linked, and comes up paid besides',
      { state: 'Pushed', shopOrderId: '555', isLinked: true },
      [order({ state: 'Paid' })],
      ['Differs', null, 'A person has linked order 555, and the shop has it as order 7 (paid), too.'],
    ],
    [
      'it differs, and was cancelled, with an unpaid twin',
      { state: 'Differs', shopOrderId: '7' },
      [order({ state: 'Cancelled' }), order({ id: '8' })],
      ['Differs', null, null],
    ],
    [
      'it differs, and is there twice, paid',
      { state: 'Differs', shopOrderId: '7', message: 'Otherwise.' },
      [order({ state: 'Paid' }), order({ id: '8', state: 'Paid' })],
      ['Differs', null, TWICE],
    ],
    [
      'it is known to be there twice, paid',
      { state: 'Differs', shopOrderId: '7', message: TWICE },
      [order({ state: 'Paid' }), order({ id: '8', state: 'Paid' })],
      ['Differs', null, null],
    ],
    ['it was created, and not paid', unknown, [order()], ['settle']],
    [
      'its payment may be under way',
      { ...unknown, shopOrderId: '7' },
      [order()],
      ['Unknown', 300_000, 'Whether the shop has paid it is not known yet.'],
    ],
    ['its payment has not come after the wait', { ...over, shopOrderId: '7', foundNothing: 1 }, [order()], ['settle']],
    [
      'it is unpaid, and commits were lost',
      { restoredUtc: at('11:59:00') },
      [order()],
      ['Unknown', 540_000, 'Whether the shop has paid it is not known yet.'],
    ],
    ['it is paid', { ...unknown, shopOrderId: '7' }, [order({ state: 'Paid' })], ['settle']],
    [
      'the shop has it no more',
      { ...unknown, shopOrderId: '7' },
      [],
      ['Differs', null, 'The shop had it as 7, and has it no more.'],
    ],
    [
      'it has arrived, and is there under another id',
      { state: 'Pushed', shopOrderId: '7' },
      [order({ id: '8' })],
      ['Differs', null, 'The shop had it as 7, and has it no more.'],
    ],
    [
      'it was thrown away',
      unknown,
      [order({ state: 'Trashed' })],
      [
        'Differs',
        null,
        'It was ended in the shop: order 7 (trashed). Retry makes another one where it was deleted there for good.',
      ],
    ],
    ['it has arrived once', { state: 'Pushed', shopOrderId: '7' }, [order({ state: 'Paid' })], ['Pushed', null, null]],
    [
      'it has arrived once, and was cancelled since',
      { state: 'Pushed', shopOrderId: '7' },
      [order({ state: 'Cancelled' })],
      ['Pushed', null, null],
    ],
    [
      'it has arrived, with an unpaid twin',
      { state: 'Pushed', shopOrderId: '7' },
      [order({ state: 'Paid' }), order({ id: '8' })],
      ['Pushed', null, null],
    ],
    [
      'it has arrived, with a paid twin',
      { state: 'Pushed', shopOrderId: '7' },
      [order({ state: 'Paid' }), order({ id: '8', state: 'Paid' })],
      ['Differs', null, TWICE],
    ],
  ])('%s', (_, change, orders, expected) => {
    expect(next(change, ...orders)).toEqual(expected);
  });
});

describe('What was not done', () => {
  const after = (change: Partial<ClaimedPush>, step: 'lookUp' | 'create' | 'settle', outcome: object) => {
    const { state, attempts, nextMs, shop } = afterNotDone(
      row(change),
      step,
      { message: 'No.', ...outcome } as never,
      null,
      POLICY,
    );
    return [state, attempts, nextMs, shop?.kind];
  };
  const unavailable = { kind: 'unavailable', retryAfterMs: null };

  it.each<[string, Partial<ClaimedPush>, 'lookUp' | 'create' | 'settle', object, readonly unknown[]]>([
    ['a create that the shop refuses', {}, 'create', { kind: 'refused' }, ['Failed', 0, null, 'answers']],
    ['a payment that it refuses', {}, 'settle', { kind: 'refused' }, ['Differs', 0, null, 'answers']],
    ['by a shop that refuses us', {}, 'create', { kind: 'shopRefused' }, ['Waiting', 0, 0, 'refuses']],
    [
      'by a shop that refuses us, in between',
      { state: 'Unknown', sentUtc: at('11:00:00') },
      'lookUp',
      { kind: 'shopRefused' },
      ['Unknown', 0, 0, 'refuses'],
    ],
    ['without a connection', {}, 'create', unavailable, ['Waiting', 1, 60_000, 'fails']],
    ['without a connection, for the last time', { attempts: 2 }, 'create', unavailable, ['Failed', 3, null, 'fails']],
    [
      'while nobody is answered',
      { attempts: 2, shopFailures: 5 },
      'create',
      unavailable,
      ['Waiting', 2, 60_000, 'fails'],
    ],
    ['as the shop asks', {}, 'create', { kind: 'unavailable', retryAfterMs: 7_000 }, ['Waiting', 0, 7_000, 'fails']],
    [
      'for more than a day, as it asks',
      {},
      'create',
      { kind: 'unavailable', retryAfterMs: 1e12 },
      ['Waiting', 0, 86_400_000, 'fails'],
    ],
    ['as far as anybody knows', {}, 'create', { kind: 'unknown', retryAfterMs: null }, ['Unknown', 0, 60_000, 'fails']],
    [
      'as far as anybody knows: the payment',
      { attempts: 2 },
      'settle',
      { kind: 'unknown', retryAfterMs: null },
      ['Unknown', 2, 60_000, 'fails'],
    ],
    [
      'a look-up of an unknown outcome',
      { state: 'Sending', sentUtc: at('11:00:00') },
      'lookUp',
      unavailable,
      ['Unknown', 0, 60_000, 'fails'],
    ],
    [
      'a look-up before the first create',
      { looksUpFirst: true },
      'lookUp',
      unavailable,
      ['Waiting', 1, 60_000, 'fails'],
    ],
    ['the last look-up', { state: 'Pushed', shopOrderId: '7' }, 'lookUp', unavailable, ['Pushed', 0, 60_000, 'fails']],
  ])('%s', (_, change, step, outcome, expected) => {
    expect(after(change, step, outcome)).toEqual(expected);
  });

  it('because clocks are apart waits itself, and holds no push of a worker whose clock is right', () => {
    const outcome = { kind: 'unavailable', message: 'No.', retryAfterMs: 60_000, isOfClocks: true } as const;
    const { attempts, nextMs, shop } = afterNotDone(row(), 'create', outcome, null, POLICY);
    expect([attempts, nextMs, shop]).toEqual([0, 60_000, { kind: 'fails', retryAfterMs: null }]);
  });
});
