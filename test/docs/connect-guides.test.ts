import { readFileSync } from 'node:fs';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { Shell, shellBlocks } from '../support/docs/shell.js';
import { given as givenIn } from '../support/given.js';
import { HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { createWorker, type TestWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const database = useDatabase();
const api = useApi(database, OPEN);
const given = givenIn(database);
let worker: TestWorker;
let shell: Shell;

beforeAll(() => {
  worker = createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
});
afterEach(() => shell.end());
afterAll(() => worker.end());

/** What the quick start defines for all examples. */
const definitions = (name: string) =>
  new RegExp(`^${name}\\(\\) \\{.*\\}$`, 'm').exec(readFileSync('docs/quick-start.md', 'utf8'))![0];

/** What the lines with a comment show. */
const commentsIn = (block: string) => [...block.matchAll(/ # (.+)$/gm)].map(([, words]) => words!);

interface Reader {
  readonly siteId: number;
  readonly tokenAuth: string;
  /** What he puts in the place of the example's. */
  readonly replaced: Readonly<Record<string, string>>;
}

/** Every block of a page as it is shown; a moment after each, a worker has done what there was to do. */
async function expectShown(page: string, { siteId, tokenAuth, replaced }: Reader): Promise<void> {
  const customer = await given.customer(siteId, {
    ...{ externalId: '2', shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Oakland' },
    ...{ shippingPostcode: '94607', shippingStreet1: '1 Main St', billingCountry: 'US', billingState: 'CA' },
  });
  const product = await given.product(siteId, { externalId: '10', title: 'Coffee', price: '9.99' });
  const body = { PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox', TestMode: true };
  expect((await api.request('POST', '/api/PaymentIntegrations', { token: tokenAuth, body })).status).toBe(201);
  shell = new Shell({ API: api.url, TOKEN: tokenAuth, CUSTOMER: String(customer), PRODUCT: String(product) });
  await shell.run([definitions('field'), definitions('call')].join('\n'));
  const own = { ...replaced, '/api/Site/1': `/api/Site/${siteId}` };
  for (const block of shellBlocks(readFileSync(page, 'utf8'))) {
    const typed = Object.entries(own).reduce((text, [from, to]) => text.replaceAll(from, to), block);
    const wanted = commentsIn(block).filter((words) => /^[A-Z]/.test(words));
    const shown = (await shell.run(typed)).join('\n');
    expect({ block, shown }).not.toMatchObject({ shown: expect.stringContaining('"status":4') });
    for (const words of wanted) expect({ block, shown }).toEqual({ block, shown: expect.stringContaining(words) });
    await worker.drain();
  }
}

it('every call of docs/connect-woocommerce.md works as it is shown, from the keys to the first pushed order', async () => {
  const shop = await WooCommerceStandIn.start();
  shop.products.set(10, { id: 10, name: 'Coffee', price: '9.99' });
  shop.customers.set(2, { billing: {}, shipping: {} });
  const merchant = await given.merchant();
  await given.taxRate(merchant.siteId, { country: 'US', state: 'CA', rate: '8.25' });
  await expectShown('docs/connect-woocommerce.md', {
    ...merchant,
    replaced: { 'https://shop.example': shop.url, 'ck_…': 'ck_shop', 'cs_…': 'cs_shop_secret' },
  });
  const living = [...shop.books.orders.values()].filter(({ isDeleted }) => !isDeleted);
  expect(living.map(({ status, lines }) => [status, lines.map(({ quantity }) => quantity)])).toEqual([
    ['processing', [1]],
  ]);
  await shop.stop();
});

it('every call of docs/connect-vendure.md works as it is shown', async () => {
  const receiver = await HttpReceiverStandIn.start();
  const merchant = await given.merchant();
  await expectShown('docs/connect-vendure.md', {
    ...merchant,
    replaced: { 'https://vendure.example': receiver.url, 'whsec_…': 'whsec_' },
  });
  await receiver.stop();
});
