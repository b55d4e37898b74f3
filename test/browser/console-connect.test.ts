import type { Locator, Page } from 'playwright-core';
import { given as givenIn } from '../support/given.js';
import { HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { knownDatabase } from '../support/worker.js';
import { accessibilityFaults, type Account, expectGoodLooks, useConsole } from './console.js';

const tested = useConsole({ env: { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const given = givenIn(tested.database);
let woo: WooCommerceStandIn;
let receiver: HttpReceiverStandIn;
/** Its shop has orders in every state. */
let packed: Account;
let orders: Record<State, number>;

type State = 'Waiting' | 'Unknown' | 'Pushed' | 'Differs' | 'Failed';
const STATES: Readonly<Record<State, Record<string, unknown>>> = {
  Waiting: { nextAttemptUtc: new Date('2040-03-01T10:00:00Z') },
  Unknown: { nextAttemptUtc: new Date('2040-03-01T11:00:00Z'), sentUtc: new Date(), message: 'The shop answered 502.' },
  Pushed: { shopOrderId: '371', shopOrderNumber: 'W-371', shopTotal: '12.50' },
  Differs: {
    ...{ shopOrderId: '372', shopOrderNumber: 'W-372', shopTotal: '11.50' },
    linesThatDiffer: JSON.stringify([{ ProductExternalId: '10', Ours: 2, Theirs: 1 }]),
    message: "The shop's total is 11.50 instead of 12.50. The shop has other products, or other quantities.",
  },
  Failed: { message: 'There is no product 10.', attempts: 1 },
};

beforeAll(async () => {
  [woo, receiver] = await Promise.all([WooCommerceStandIn.start(), HttpReceiverStandIn.start()]);
  await knownDatabase(tested.database);
  woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50' });
  packed = await tested.account({ name: 'Coffee Shop', currencyIso: 'USD', url: receiver.url, type: 'Own' });
  orders = await givenPushes(packed);
});
afterAll(() => Promise.all([woo.stop(), receiver.stop()]));

/** One order in each state, the last one the newest. */
async function givenPushes({ siteId }: Account): Promise<Record<State, number>> {
  const customerId = await given.customer(siteId, { firstName: 'Ada', lastName: 'Byron' });
  const ids: Partial<Record<State, number>> = {};
  for (const [state, values] of Object.entries(STATES))
    ids[state as State] = (await given.push(siteId, customerId, { state, ...values })).scheduledOrderId;
  return ids as Record<State, number>;
}

const shopOf = ({ siteId }: Account, rest = '') => `s/${siteId}/shop${rest}`;
const form = (page: Page, name: string) => page.getByRole('form', { name });
const finding = (page: Page, check: string) =>
  page.getByRole('list', { name: 'What was found' }).getByRole('listitem').filter({ hasText: check });

async function api<T>(account: Account, path: string): Promise<T> {
  const answer = await fetch(`${tested.url}${path}`, { headers: { authorization: `Basic ${account.tokenAuth}` } });
  return (await answer.json()) as T;
}

it('connects WooCommerce in three steps, says what does not agree and what to do, and pushes from then on', async () => {
  const account = await tested.account({ name: 'Tea Shop', currencyIso: 'USD', url: null });
  const { siteId } = account;
  await given.taxRate(siteId, { country: 'US', state: 'CA', rate: '8.25' });
  const place = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Oakland', shippingPostcode: '94607' };
  const customerId = await given.customer(siteId, { externalId: '2', ...place });
  woo.customers.set(2, { billing: {}, shipping: {} });
  const orderId = await given.scheduledOrder(siteId, customerId, place);
  await given.item(siteId, orderId, await given.product(siteId, { externalId: '10', title: 'Coffee' }));
  const { page, open, faults, context } = await tested.loggedIn(account);
  await open(shopOf(account));
  await page.getByText('Nobody has looked yet').waitFor();

  const address = form(page, '1. Address and keys');
  await address.getByLabel('Address', { exact: true }).fill(woo.url);
  await address.getByLabel('Kind of shop').fill('WooCommerce');
  await address.getByLabel('Consumer key of the shop system', { exact: true }).fill('ck_shop');
  await address.getByLabel('Consumer secret of the shop system', { exact: true }).fill('cs_wrong_secret');
  await address.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Address and keys are saved').waitFor();
  // The kind of shop proposes it.
  const receivers = form(page, '2. Receiver');
  expect(await receivers.getByRole('radio', { name: /^WooCommerce itself/ }).isChecked()).toBe(true);

  const verify = page.getByRole('button', { name: 'Verify the shop' });
  await verify.click();
  await finding(page, 'Keys').getByText('the secret is wrong').waitFor();
  await page.getByText('It refuses the service altogether').waitFor();
  await address.getByLabel('Consumer secret of the shop system', { exact: true }).fill('cs_shop_secret');
  await address.getByRole('button', { name: 'Save' }).click();
  // What was found of other keys says nothing of these.
  await finding(page, 'Keys').waitFor({ state: 'detached' });

  woo.settings.currency = 'EUR';
  await verify.click();
  await finding(page, 'Currency').getByText('The shop has EUR, the site USD').waitFor();
  woo.settings.currency = 'USD';
  await verify.click();
  await finding(page, 'Currency').getByText('Agrees').waitFor();
  // This API does not know its own address, so the shop cannot send hooks there.
  const wrong = await finding(page, 'Look at it').allInnerTexts();
  expect(wrong).toEqual([expect.stringContaining('PUBLIC_URL is not set')]);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(woo.books.living(`${siteId}-verify`)).toEqual([]);
  expect(await page.content()).not.toContain('cs_shop_secret');

  await page.getByRole('button', { name: 'Push orders from now on' }).click();
  await page.getByText('Orders are pushed', { exact: true }).waitFor();
  expect(await api(account, `/api/Site/${siteId}/Shop`)).toMatchObject({
    ...{ Push: 'On', Receiver: 'WooCommerceRest', State: 'Ready' },
  });
  await page.getByRole('button', { name: 'Push nothing more' }).click();
  await page.getByRole('dialog').getByText('also not later').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await context.close();
});

it('shows the secret of a receiver, and asks before what is typed is left', async () => {
  const { page, open, faults, context } = await tested.loggedIn(packed);
  await open(shopOf(packed));
  await form(page, '2. Receiver').getByLabel('Path of the receiver').fill('no path');
  await form(page, '2. Receiver').getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be a path such as').waitFor();
  await page.getByRole('tab', { name: 'Pushed orders' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('region', { name: 'Pushed orders' }).waitFor();
  await open(shopOf(packed, '?dialog=secret'));
  await page.getByRole('button', { name: 'Show the secret' }).or(page.getByRole('dialog')).first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

const row = (page: Page, state: State): Locator => page.getByRole('row', { name: `${orders[state]}, cycle 1` });

it('leads from Today to what is not in the shop, says what helps, and accepts, links and retries it', async () => {
  const { page, open, faults, context } = await tested.loggedIn(packed);
  await open(`s/${packed.siteId}/today`);
  await page.getByRole('link', { name: /^Not in the shop/ }).click();
  await row(page, 'Failed').getByText('There is no product 10.').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByLabel('Show').selectOption('');
  await row(page, 'Pushed').getByText('W-371').waitFor();
  expect(await row(page, 'Pushed').getByRole('button').count()).toBe(0);
  const differs = row(page, 'Differs');
  expect(await differs.innerText()).toContain('Product 10 of the shop: 2 charged, 1 in the shop');

  await differs.getByRole('button', { name: `Accept: order ${orders.Differs}, cycle 1` }).click();
  await page.reload();
  const accept = page.getByRole('dialog', { name: 'Accept it as it is?' });
  await accept.getByText('Nothing is changed there').waitFor();
  await accept.getByRole('button', { name: 'Accept' }).click();
  await accept.waitFor({ state: 'detached' });
  await differs.getByText('In the shop', { exact: true }).waitFor();

  await page.getByLabel('Show').selectOption('Failed');
  await row(page, 'Pushed').waitFor({ state: 'detached' });
  await row(page, 'Failed').getByRole('button', { name: /^Link/ }).click();
  const link = page.getByRole('dialog', { name: 'Link it to an order of the shop' });
  await link.getByText('Enter the id of the order in the shop.').waitFor();
  await link.getByLabel('Id of the order in the shop').fill('W-500');
  await page.keyboard.press('Enter');
  await link.waitFor({ state: 'detached' });
  await page.getByText('None is in this state').waitFor();
  expect(await api(packed, `/api/ScheduledOrders/${orders.Failed}/Cycles/1/Push`)).toMatchObject({
    ...{ State: 'Pushed', ShopOrderId: 'W-500' },
  });

  await page.getByLabel('Show').selectOption('Waiting');
  await row(page, 'Waiting')
    .getByRole('button', { name: /^Push again/ })
    .click();
  await page.getByRole('dialog').getByText('nothing is charged').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Push again' }).click();
  await page.getByText('It is pushed again now.').waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it('an order says where it stands in the shop, and leads to what helps', async () => {
  const { page, open, faults, context } = await tested.loggedIn(packed);
  await open(`s/${packed.siteId}/scheduled-orders/${orders.Pushed}?tab=cycles&cycle=1`);
  await page.getByRole('region', { name: 'Cycle 1 explained' }).getByText('Order W-371 of the shop').waitFor();
  await page.getByRole('region', { name: 'Last time' }).getByText('In the shop', { exact: true }).waitFor();
  await open(`s/${packed.siteId}/scheduled-orders/${orders.Unknown}`);
  await page
    .getByRole('link', { name: /^What helps/ })
    .first()
    .click();
  await row(page, 'Unknown').waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it.each<[string, string, string]>([
  ['connection', '', 'How it stands'],
  ['pushes', '?tab=pushes', 'The shop answered 502.'],
  ['link', '?tab=pushes&dialog=link&order=:failed&cycle=1', 'Id of the order in the shop'],
  ['settings', '?tab=settings', 'Prices and taxes'],
])('%s looks good, light and dark, narrow and wide', async (name, path, text) => {
  const address = shopOf(packed, path.replace(':failed', String(orders.Failed)));
  await expectGoodLooks(tested, packed, `connect-${name}`, address, (page) => page.getByText(text).first().waitFor());
});

it('a shop without anything says what there would be', async () => {
  const empty = await tested.account({ url: null });
  const seen = (page: Page) => page.getByText('Nothing was pushed yet').waitFor();
  await expectGoodLooks(tested, empty, 'connect-pushes-empty', shopOf(empty, '?tab=pushes'), seen);
});
