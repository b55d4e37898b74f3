import type { Page } from 'playwright-core';
import { Vault } from '#libs/platform';
import { TEST_ENCRYPTION_KEY } from '../support/api.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { type Account, expectGoodLooks, useConsole } from './console.js';

const tested = useConsole();
const given = givenIn(tested.database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);
const DAY = 86_400_000;
const dayAfter = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

interface Shop extends Account {
  readonly customerId: number;
  readonly productId: number;
  readonly orderId: number;
}

let shop: Shop;

const VISA = { gatewayCustomerId: 'cus_1', gatewayPaymentId: 'pm_1', description: 'Visa ending in 4242, 01/27' };

/** A shop with what its pages are about. The product with a stock of 5 is needed twice a week. */
async function givenShop(): Promise<Shop> {
  const account = await tested.account({ name: 'Coffee Shop', currencyIso: 'USD' });
  const { siteId } = account;
  const place = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Los Angeles', shippingPostcode: '90001' };
  const person = { email: 'grace.hopper@navy.example', firstName: 'Grace', lastName: 'Hopper', externalId: 'C-7' };
  const customerId = await given.customer(siteId, { ...person, ...place });
  for (let other = 0; other < 120; other += 1) await given.customer(siteId, { lastName: `Other ${other}` });
  const productId = await given.product(siteId, { title: 'Espresso', sku: 'ESP', price: '10', stockLevel: '5' });
  await given.product(siteId, { title: 'Filter', sku: 'FIL', price: '8', availability: 'discontinued' });
  await given.paymentMethod(siteId, customerId, VISA);
  const orderId = await given.scheduledOrder(siteId, customerId, {
    ...place,
    frequencyType: 'Weeks',
    scheduleAnchorUtc: new Date(Date.now() + DAY),
    nextOccurrenceUtc: new Date(Date.now() + DAY),
    paymentMethodType: 'GatewayOne',
    paymentMethodCustomerId: 'cus_1',
    paymentMethodId: 'pm_1',
    paymentMethodDescription: VISA.description,
  });
  await given.item(siteId, orderId, productId, { price: '10', quantity: 2 });
  await given.order(siteId, customerId, { orderNumber: 'A-1', total: '24.50', externalId: 'E-1' });
  await given.taxRate(siteId, { name: 'Sales tax', country: 'US', state: 'CA', rate: '7.25' });
  await given.shippingRate(siteId, { name: 'Parcel', country: 'US', basePrice: '4', minSubtotal: '10' });
  await given.integration(vault, siteId, { apiKey1: 'sandbox_secret_1234' });
  return { ...account, customerId, productId, orderId };
}

beforeAll(async () => {
  shop = await givenShop();
});

async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${tested.url}${path}`, {
    method,
    headers: { authorization: `Basic ${shop.tokenAuth}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

describe('Customers', () => {
  it('are found by half an e-mail address; the card of one is corrected, and its order follows', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop);
    await open(`s/${shop.siteId}/customers`);
    await page.getByText('121 customers').waitFor();
    await page.getByLabel('Search').fill('grace.ho');
    await page.keyboard.press('Enter');
    await page.getByText('1 customer', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('grace.ho');
    await page.getByRole('link', { name: 'Grace Hopper' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    await page.getByRole('link', { name: `order ${shop.orderId}` }).waitFor();
    await page.getByText('A-1').waitFor();
    await page.getByRole('row', { name: /A-1/ }).getByText('24.50 USD').waitFor();

    await page.getByRole('button', { name: 'Correct Visa ending in 4242, 01/27' }).click();
    await page.reload();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What to call it').fill('Visa ending in 1881, 05/31');
    await dialog.getByLabel('Its id at the gateway').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Its id at the gateway').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Its id at the gateway').fill('pm_2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('group', { name: 'Visa ending in 1881, 05/31' }).waitFor();

    const order = await api('GET', `/api/ScheduledOrders/${shop.orderId}`);
    expect(order).toMatchObject({ PaymentMethodId: 'pm_2', PaymentMethodDescription: 'Visa ending in 1881, 05/31' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are paged, and the place stands in the address', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop);
    await open(`s/${shop.siteId}/customers`);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'First page' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'First page' }).waitFor();
    await page.getByRole('region', { name: 'Customers' }).locator('tbody tr').first().waitFor();
    expect(await page.getByRole('region', { name: 'Customers' }).locator('tbody tr').count()).toBe(21);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('have addresses that are changed, cards that are added and removed, and a page of another shop says so', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop);
    await open(`s/${shop.siteId}/customers/${shop.customerId}`);
    await page.getByRole('button', { name: 'Change the delivery address' }).click();
    await page.getByRole('dialog').getByLabel('Country').fill('Nowhereland');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('dialog').getByLabel('Country').fill('US');
    await page.getByRole('dialog').getByLabel('City').fill('Oakland');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('90001 Oakland').waitFor();

    await page.getByRole('button', { name: 'Add a payment method' }).click();
    await page.getByLabel('What to call it').fill('Mastercard ending in 4444');
    await page.getByLabel('Its id at the gateway').fill('pm_9');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('group', { name: 'Mastercard ending in 4444' }).waitFor();
    await page.getByRole('button', { name: 'Remove Mastercard ending in 4444' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('group', { name: 'Mastercard ending in 4444' }).waitFor({ state: 'hidden' });
    const methods = await api<object[]>('GET', `/api/Customers/${shop.customerId}/PaymentMethods`);
    expect(methods).toHaveLength(1);

    const other = await given.customer(await given.site(shop.userId));
    await open(`s/${shop.siteId}/customers/${other}`);
    await page.getByRole('link', { name: 'Open it in its shop' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('Rates', () => {
  it('are tried on an address before they are stored; stored, the quote is the same', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop);
    await open(`s/${shop.siteId}/rates`);
    await page.getByRole('link', { name: 'Add a tax rate' }).click();
    await page.getByLabel('Name', { exact: true }).fill('City tax');
    await page.getByLabel('Percent').fill('a lot');
    for (const [label, value] of [
      ['Country', 'US'],
      ['State', 'CA'],
      ['City', 'Los Angeles'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel(`${label} of the cart`).fill(value);
    }
    await page.getByRole('combobox', { name: 'Product 1' }).click();
    await page.getByRole('combobox', { name: 'Product 1' }).fill('esp');
    await page.getByRole('option', { name: /Espresso/ }).click();
    await page.getByLabel('Quantity 1').fill('2');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Percent').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Percent').fill('1.5');
    await page.getByRole('button', { name: 'Try it' }).click();
    const tried = page.getByRole('region', { name: 'What the cart would cost with this rate' });
    await tried.getByText('City tax 1.5 %').waitFor();
    // 20.00 and 4.00 for the parcel; 7.25 % are 1.45, 1.5 % are 0.30.
    expect((await tried.getByRole('status').innerText()).replace(/\s+/g, ' ')).toBe(
      'Now it costs 25.45 USD, then 25.75 USD.',
    );
    expect(await api<object[]>('GET', `/api/TaxRates?SiteId=${shop.siteId}`)).toHaveLength(1);

    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'City tax', exact: true }).waitFor();
    expect(await api<object[]>('GET', `/api/TaxRates?SiteId=${shop.siteId}`)).toHaveLength(2);
    await page.getByRole('tab', { name: 'Tester' }).click();
    const answer = page.getByRole('region', { name: 'What this cart would cost' });
    await answer.getByText('25.75 USD').waitFor();
    await page.reload();
    await answer.getByText('25.75 USD').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('with terms that the API refuses are not stored, and an answer for another cart is not shown', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop);
    const ratesOfShop = () => api<object[]>('GET', `/api/TaxRates?SiteId=${shop.siteId}`);
    const before = await ratesOfShop();
    await open(`s/${shop.siteId}/rates?rate=new`);
    await page.getByLabel('Name', { exact: true }).fill('Half a priority');
    await page.getByLabel('Percent').fill('3');
    await page.getByLabel('Priority').fill('1.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Priority').getAttribute('aria-invalid')).toBe('true');
    expect(await ratesOfShop()).toEqual(before);

    await page.route('**/api/TaxRate/*/Terms', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.getByLabel('Priority').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rate is stored, but not its terms').waitFor();
    await page.getByRole('heading', { name: 'Change Half a priority' }).waitFor();
    await page.unroute('**/api/TaxRate/*/Terms');
    await page.reload();
    await page.getByLabel('Priority').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Half a priority', exact: true }).waitFor();
    expect(await ratesOfShop()).toHaveLength(before.length + 1);

    await open(`s/${shop.siteId}/rates?tab=tester&country=US&state=CA&lines=${shop.productId}x2`);
    const answer = page.getByRole('region', { name: 'What this cart would cost' });
    await answer.waitFor();
    await page.getByRole('button', { name: 'Clear Product 1' }).click();
    await page.getByRole('button', { name: 'What would it cost?' }).click();
    await page.getByText('Pick a product first').waitFor();
    expect(await answer.count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are deleted on a telephone, too; one of another shop is not', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop, { width: 360 });
    const rate = await given.taxRate(shop.siteId, { name: 'Old tax', country: 'FR', rate: '1' });
    await open(`s/${shop.siteId}/rates?rate=${rate}`);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Change Old tax' }).waitFor({ state: 'hidden' });
    const left = await api<{ Id: number }[]>('GET', `/api/TaxRates?SiteId=${shop.siteId}`);
    expect(left.map(({ Id }) => Id)).not.toContain(rate);
    const foreign = await given.taxRate(await given.site(shop.userId), { name: 'Foreign', country: 'FR', rate: '1' });
    await open(`s/${shop.siteId}/rates?remove=${foreign}`);
    await page.getByText('This shop has no such record').waitFor();
    await open(`s/${shop.siteId}/rates?remove=999999999`);
    await page.getByRole('dialog').getByText('Not found').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('of shipping say in words what they cost and when; they are changed and deleted', async () => {
    const { page, open, faults, context } = await tested.loggedIn(shop);
    await open(`s/${shop.siteId}/rates?tab=shipping`);
    await page.getByText('from a subtotal of 10.00 USD').waitFor();
    await page.getByRole('link', { name: 'Parcel', exact: true }).click();
    await page.getByLabel('Price of a delivery').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('5.00 USD').waitFor();
    const extra = await given.shippingRate(shop.siteId, { name: 'Courier', basePrice: '20' });
    await page.reload();
    await page.getByRole('link', { name: 'Delete Courier' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Courier', exact: true }).waitFor({ state: 'hidden' });
    const rates = await api<{ Id: number; BasePrice: number }[]>('GET', `/api/ShippingRates?SiteId=${shop.siteId}`);
    expect(rates.map(({ BasePrice }) => BasePrice)).toEqual([5]);
    expect(rates.map(({ Id }) => Id)).not.toContain(extra);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('of 40,000 places are shown a page at a time, and found by how their place begins', async () => {
    const many = await tested.account({ name: 'Sells everywhere' });
    await tested.database.query(
      `INSERT INTO tax_rates (site_id, name, country, state, city, postcode, rate)
       SELECT $1, 'Sales tax', 'US', 'CA', '*', 'P' || lpad(n::text, 5, '0'), 5 FROM generate_series(1, 40000) AS n`,
      [many.siteId],
    );
    const { page, open, faults, context } = await tested.loggedIn(many);
    await open(`s/${many.siteId}/rates`);
    await page.getByText('more than 10,000 rates').waitFor();
    const rows = page.getByRole('region', { name: 'Tax rates' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(100);
    await page.getByLabel('Search').fill('p31337');
    await page.keyboard.press('Enter');
    await page.getByText('1 rate', { exact: true }).waitFor();
    await until(async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toContain('P31337, any city, CA, US');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('and integrations of a simulated shop are shown, too', async () => {
    const { SiteId } = await api<{ SiteId: number }>('POST', '/api/TestClocks', {
      Name: 'Copy',
      NowUtc: '2027-01-01T00:00:00Z',
      CopyOf: shop.siteId,
    });
    const { page, open, faults, context } = await tested.loggedIn(shop);
    await open(`s/${SiteId}/rates`);
    await page.getByRole('link', { name: 'Sales tax', exact: true }).waitFor();
    await open(`s/${SiteId}/payments`);
    await page.getByRole('button', { name: 'Add the first one' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Secret key', { exact: true }).fill('sk_test_never_called');
    await dialog.getByRole('switch').click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('must be true, because the site is simulated').waitFor();
    await dialog.getByRole('switch').click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('region', { name: 'GatewayOne' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

it('Products say when their stock runs out, in which orders they are, and take another stock', async () => {
  const { page, open, faults, context } = await tested.loggedIn(shop);
  await open(`s/${shop.siteId}/products`);
  const row = page.getByRole('row', { name: /Espresso/ });
  await row.getByText('Runs out').waitFor();
  // 2 tomorrow, 2 a week later, and 2 more a week after that, when 1 is left.
  const forecast = await api<{ Rows: { RunsOutOn: string }[] }>(
    'GET',
    `/api/Site/${shop.siteId}/Forecast?From=${dayAfter(0)}&To=${dayAfter(90)}&By=Product`,
  );
  expect(forecast.Rows[0]!.RunsOutOn).toBe(dayAfter(15));
  expect(await row.locator('time').getAttribute('datetime')).toBe(dayAfter(15));
  await page.getByRole('link', { name: 'Espresso' }).click();
  await page.getByText('The stock does not last').waitFor();
  await page.getByRole('link', { name: String(shop.orderId), exact: true }).waitFor();
  await page.getByText('90 days').click();
  await page.getByText('needed in 90 days').waitFor();
  expect(new URL(page.url()).searchParams.get('days')).toBe('90');

  await page.getByLabel('Price', { exact: true }).fill('-1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'marked' }).waitFor();
  expect(await page.getByLabel('Price', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Price', { exact: true }).fill('10');
  await page.getByLabel('Stock', { exact: true }).fill('500');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The stock of 500 lasts').waitFor();
  expect(await api('GET', `/api/Products/${shop.productId}`)).toMatchObject({ StockLevel: '500', Price: 10 });
  expect(faults).toEqual([]);
  await context.close();
});

it('Products that change meanwhile keep what is typed, and say so', async () => {
  const { page, open, faults, context } = await tested.loggedIn(shop);
  const id = await given.product(shop.siteId, { title: 'Lungo', price: '3', stockLevel: '9' });
  await page.clock.install();
  await open(`s/${shop.siteId}/products?product=${id}`);
  await page.getByLabel('Price', { exact: true }).fill('4');
  await api('PUT', `/api/Products/${id}`, { StockLevel: '8' });
  // As when one comes back to its tab after a while.
  await page.clock.fastForward(15_000);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('The product was changed meanwhile').waitFor();
  expect(await page.getByLabel('Price', { exact: true }).inputValue()).toBe('4');
  expect(await page.getByLabel('Stock', { exact: true }).inputValue()).toBe('8');
  await page.getByRole('button', { name: 'Save' }).click();
  // The warning is hidden as soon as the request begins.
  await page.getByText('The product is changed.').waitFor();
  await page.getByText('The product was changed meanwhile').waitFor({ state: 'hidden' });
  expect(await api('GET', `/api/Products/${id}`)).toMatchObject({ Price: 4, StockLevel: '8' });
  expect(faults).toEqual([]);
  await context.close();
});

it('The keys of the shop are not in the page; left empty, they stay', async () => {
  await api('PUT', `/api/Site/${shop.siteId}`, {
    ApiKey1: 'ck_very_secret_key_9876',
    ApiKey2: 'cs_very_secret_key_5432',
  });
  const { page, open, faults, context } = await tested.loggedIn(shop);
  await open(`s/${shop.siteId}/shop`);
  await page.getByText('Left empty, ••••9876 stays.').waitFor();
  const input = page.getByLabel('Consumer key of the shop system', { exact: true });
  expect([await input.inputValue(), await input.getAttribute('autocomplete')]).toEqual(['', 'new-password']);
  expect(await page.content()).not.toContain('very_secret');
  await page.getByLabel('Kind of shop').fill('WooCommerce');
  await input.fill('ck_another_secret_1111');
  await page.getByText('2 changed, not saved yet.').waitFor();
  await page.getByRole('form', { name: '1. Address and keys' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Left empty, ••••1111 stays.').waitFor();
  await until(async () => (await input.inputValue()) === '');
  expect(await api('GET', `/api/Site/${shop.siteId}`)).toMatchObject({
    Type: 'WooCommerce',
    ApiKey1: 'ck_another_secret_1111',
    ApiKey2: 'cs_very_secret_key_5432',
  });
  expect(faults).toEqual([]);
  await context.close();
});

it('Payments show no key, verify an integration, say what is wrong at its field, and what waits', async () => {
  const scheduledOrderId = await given.scheduledOrder(shop.siteId, shop.customerId);
  await given.insert('processing_cycles', {
    scheduledOrderId,
    siteId: shop.siteId,
    cycle: 1,
    state: 'Waiting',
    open: true,
    failureCode: 1003,
    dueUtc: new Date(),
  });
  const { page, open, faults, context } = await tested.loggedIn(shop);
  await open(`s/${shop.siteId}/payments`);
  await page.getByRole('link', { name: '1 scheduled order' }).waitFor();
  await page.getByText('••••1234').waitFor();
  expect(await page.content()).not.toContain('sandbox_secret');
  await page.getByRole('button', { name: 'Verify GatewayOne' }).click();
  await page.getByText('It works').waitFor();
  await page.getByRole('button', { name: 'Change GatewayOne' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Secret key', { exact: true }).fill('pk_test_publishable');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Secret key', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  // What the gateway said of the credentials before says nothing of those that are there now.
  await dialog.getByLabel('Secret key', { exact: true }).fill('sandbox_secret_5678');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('••••5678', { exact: true }).waitFor();
  await page.getByText('It works').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await context.close();
});

describe('Good looks', () => {
  const seen = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

  it.each([
    ['customers', 'customers', /customers$/],
    ['customer', 'customers/:customer', 'Payment methods'],
    ['customer-card', 'customers/:customer?dialog=add-card', 'The customer’s id at the gateway'],
    ['rates', 'rates', 'Sales tax'],
    ['rates-shipping', 'rates?tab=shipping', 'Parcel'],
    ['rates-new', 'rates?rate=new&country=US&lines=:productx2', 'Also on shipping'],
    ['rates-tester', 'rates?tab=tester&country=US&state=CA&lines=:productx2', 'What this cart would cost'],
    ['products', 'products', 'Needs and stock'],
    ['product', 'products?product=:product&days=60', 'needed in 60 days'],
    ['payments', 'payments', 'Speaks the Stripe API'],
    ['payments-change', 'payments?dialog=add', 'Transaction key'],
  ])('of %s', async (name, path, text) => {
    const address = path.replace(':customer', String(shop.customerId)).replace(':product', String(shop.productId));
    await expectGoodLooks(tested, shop, `shop-${name}`, `s/${shop.siteId}/${address}`, seen(text));
  });

  it.each([
    ['customers', 'No customers yet'],
    ['rates', 'No tax rates yet'],
    ['products', 'No products yet'],
    ['payments', 'No payment integration yet'],
  ])('of %s without anything', async (path, text) => {
    const empty = await tested.account();
    await expectGoodLooks(tested, empty, `shop-${path}-empty`, `s/${empty.siteId}/${path}`, seen(text));
  });
});
