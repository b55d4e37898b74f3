import { Gateways } from '#libs/gateways';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge } from './given-charge.js';

const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const gateways = () => new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000 });
const gatewayOne = () => gateways().for(1, gatewayOneCredentials());
const gatewayTwo = () => gateways().for(2, gatewayTwoCredentials());
const charges = () => givenCharge({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471' });

/** What the stand-in of GatewayTwo answers to a request. */
async function ask(request: string, fields: object): Promise<Record<string, unknown> & { code: string }> {
  const merchantAuthentication = { name: 'login', transactionKey: 'key4567890123456' };
  const body = JSON.stringify({ [request]: { merchantAuthentication, ...fields } });
  const text = await (await fetch(`${two.url}/xml/v1/request.api`, { method: 'POST', body })).text();
  const answer = JSON.parse(text.replace(/^\uFEFF/, '')) as { messages: { message: { code: string }[] } };
  return { ...answer, code: answer.messages.message[0]!.code };
}

describe('The stand-in of GatewayOne', () => {
  it('keeps a key for 24 hours of its clock', async () => {
    const charge = charges();
    await gatewayOne().charge(charge);
    one.advance(DAY - SECOND);
    expect(await gatewayOne().charge(charge)).toMatchObject({ transactionId: one.intentIds[0] });
    one.advance(2 * SECOND);
    expect(await gatewayOne().charge(charge)).toMatchObject({ transactionId: one.intentIds[1] });
    expect(one.ledger.doubles()).toHaveLength(1);
  });

  it.each([
    ['amount', { amount: 1 }],
    ['card', { gatewayPaymentId: 'pm_other' }],
    ['occurrence', { dueUtc: new Date(0) }],
    ['installation', { installation: 'other' }],
  ])('refuses a key with another %s', async (_, about) => {
    const charge = charges();
    await gatewayOne().charge(charge);
    expect(await gatewayOne().charge({ ...charge, ...about })).toMatchObject({
      detail: expect.stringContaining('Keys for idempotent requests'),
    });
    expect(one.ledger.charges).toHaveLength(1);
  });

  it('refuses metadata that no version of the service sends, and pages of more than 100', async () => {
    const headers = { authorization: 'Bearer sk_test_merchant', 'idempotency-key': 'key' };
    const body = 'metadata[colour]=red';
    expect((await fetch(`${one.url}/v1/payment_intents`, { method: 'POST', headers, body })).status).toBe(400);
    expect((await fetch(`${one.url}/v1/payment_intents?limit=101`, { headers })).status).toBe(400);
  });
});

describe('The stand-in of GatewayTwo', () => {
  it('calls the same sending a duplicate within eight hours of its clock, and charges it after them', async () => {
    const charge = charges();
    await gatewayTwo().charge(charge);
    two.advance(8 * HOUR - SECOND);
    expect(await gatewayTwo().charge(charge)).toMatchObject({ transactionId: two.transactionIds[0] });
    two.advance(2 * SECOND);
    expect(await gatewayTwo().charge(charge)).toMatchObject({ transactionId: two.transactionIds[1] });
  });

  it.each([
    ['amount', { amount: 1 }],
    ['card', { gatewayPaymentId: '40027472' }],
    ['customer', { gatewayCustomerId: '40025206' }],
    ['invoice number', { attempt: 2 }],
  ])('takes another %s for another charge', async (_, about) => {
    const charge = charges();
    await gatewayTwo().charge(charge);
    await gatewayTwo().charge({ ...charge, ...about });
    expect(two.transactionIds).toHaveLength(2);
  });

  it('settles once a day of its clock, by account, and leaves what is held for review', async () => {
    const gateway = gatewayTwo();
    await gateway.charge(charges());
    two.faults.next('undecided');
    await gateway.charge(charges());
    await gateways()
      .for(3, gatewayTwoCredentials({ apiAccount: 'other' }))
      .charge(charges());
    expect(await ask('getSettledBatchListRequest', {})).toMatchObject({ code: 'I00004' });
    two.advance(DAY);
    const { batchList } = await ask('getSettledBatchListRequest', {});
    expect(batchList).toEqual([
      {
        batchId: expect.any(String) as string,
        settlementTimeUTC: expect.stringMatching(/Z$/) as string,
        settlementState: 'settledSuccessfully',
        paymentMethod: 'creditCard',
      },
    ]);
    const [{ batchId }] = batchList as [{ batchId: string }];
    expect(await ask('getTransactionListRequest', { batchId })).toMatchObject({
      transactions: [{ transId: two.transactionIds[0], transactionStatus: 'settledSuccessfully' }],
      totalNumInResultSet: 1,
    });
    expect(await ask('getUnsettledTransactionListRequest', {})).toMatchObject({
      transactions: [{ transId: two.transactionIds[1] }],
    });
  });

  it.each([
    [{ firstSettlementDate: '2026-01-01T00:00:00Z', lastSettlementDate: '2026-02-01T00:00:00Z' }, 'I00004'],
    [{ firstSettlementDate: '2026-01-01T00:00:00Z', lastSettlementDate: '2026-02-01T00:00:01Z' }, 'E00013'],
    [{ firstSettlementDate: '2026-02-01T00:00:00Z', lastSettlementDate: '2026-01-01T00:00:00Z' }, 'E00013'],
    [{ firstSettlementDate: '2026-01-01T00:00:00Z' }, 'E00013'],
    [{ firstSettlementDate: '1 January', lastSettlementDate: '2026-01-01T00:00:00Z' }, 'E00003'],
    [{ lastSettlementDate: '2026-01-02T00:00:00Z', firstSettlementDate: '2026-01-01T00:00:00Z' }, 'E00003'],
  ])('validates the settlement dates %j: %s', async (dates, code) => {
    expect(await ask('getSettledBatchListRequest', dates)).toMatchObject({ code });
  });

  it('keeps to the order of the elements and to pages of 1,000', async () => {
    const paging = { limit: 1_001, offset: 1 };
    expect(await ask('getTransactionListRequest', { batchId: '1', paging })).toMatchObject({ code: 'E00003' });
    const sorting = { orderBy: 'id', orderDescending: true };
    expect(await ask('getTransactionListRequest', { sorting, batchId: '1' })).toMatchObject({ code: 'E00003' });
  });
});

describe.each([
  ['GatewayOne', gatewayOne, () => one],
  ['GatewayTwo', gatewayTwo, () => two],
] as const)('The stand-in of %s', (_, gatewayOf, standInOf) => {
  it('dates its answers by its own clock', async () => {
    standInOf().clockAheadMs = -5 * DAY;
    const askedMs = Date.now();
    const date = Date.parse((await fetch(standInOf().url)).headers.get('date')!);
    // In whole seconds.
    expect(date).toBeGreaterThan(askedMs - 5 * DAY - SECOND);
    expect(date).toBeLessThanOrEqual(Date.now() - 5 * DAY);
  });

  it('shows a charge in lists only after a while, if it is told to', async () => {
    standInOf().listDelayMs = HOUR;
    const charge = charges();
    await gatewayOf().charge(charge);
    expect(await gatewayOf().lookUp(charge, null, HOUR)).toEqual({ kind: 'notFound' });
    standInOf().advance(HOUR);
    expect(await gatewayOf().lookUp(charge, null, HOUR)).toMatchObject({ kind: 'succeeded' });
  });
});
