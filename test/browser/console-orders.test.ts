import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import {
  accessibilityFaults,
  type Account,
  type ConsolePage,
  expectGoodLooks,
  readAgain,
  useConsole,
} from './console.js';
import { mondayShop, type OrdersShop } from './orders-shop.js';

const tested = useConsole({ withWorker: true });
let shop: OrdersShop;
let pageOf: (orderId: number, search?: string) => string;
let customerId: number;

beforeAll(async () => {
  shop = await mondayShop(tested);
  pageOf = (orderId, search = '') => `s/${shop.siteId}/scheduled-orders/${orderId}${search}`;
  const person = { SiteId: shop.siteId, Email: 'dora@mail.example', FirstName: 'Dora', LastName: 'Byron' };
  customerId = (await shop.call<{ Id: number }>('POST', 'Customers', person)).Id;
});

async function newOrder(): Promise<number> {
  const { Id } = await shop.call<{ Id: number }>('POST', 'ScheduledOrders', {
    CustomerId: customerId,
    FrequencyType: 'Days',
    Frequency: 1,
    PaymentMethodType: 'GatewayOne',
    PaymentMethodCustomerId: 'cus_dora',
    PaymentMethodId: 'pm_dora',
    ScheduledOrderItems: [{ ProductId: shop.coffee }],
  });
  return Id;
}

/** One that was charged a moment ago, by the shop's clock, and why it cannot be processed again. */
async function newlyCharged(): Promise<{ id: number; because: string }> {
  const id = await newOrder();
  await shop.call('POST', `ScheduledOrders/${id}/Process`);
  await until(async () => (await shop.cycles(id))[0]?.State === 'Completed');
  const { MayNow } = await shop.call<{ MayNow: { Action: string; Allowed: boolean; Because: string }[] }>(
    'GET',
    `ScheduledOrders/${id}/Explain`,
  );
  const process = MayNow.find(({ Action }) => Action === 'Process')!;
  expect(process.Allowed).toBe(false);
  return { id, because: process.Because };
}

const loggedIn = (account: Account): Promise<ConsolePage> => tested.loggedIn(account);

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('On Monday', () => {
  it('Failures say what was charged at the weekend, what failed, why, and what comes of it', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    await open(`s/${shop.siteId}/failures`);
    const days = page.getByRole('region', { name: 'The last seven days' });
    await days.getByText('Sat 21 Nov 2026').waitFor();
    expect((await row(page, 'Sat 21 Nov').innerText()).split('\t').map((text) => text.trim())).toEqual([
      'Sat 21 Nov 2026',
      '1',
      '12.50 USD',
      '2',
      '0',
    ]);
    const reasons = page.getByRole('region', { name: 'Reasons' });
    await reasons.waitFor();
    expect(await row(page, 'The card was declined').innerText()).toContain('2 orders');
    expect(await row(page, 'The order has no items').innerText()).toContain('1 order');

    await row(page, 'The card was declined').getByRole('link', { name: '2 orders' }).click();
    const story = page.getByRole('article', { name: `Order ${shop.orders.declined} of Grace Byron` });
    await story.getByText('The next try is on').first().waitFor();
    const text = await story.innerText();
    const explained = await shop.call<{ LastTime: { Sentence: string }; When: { Sentence: string } }>(
      'GET',
      `ScheduledOrders/${shop.orders.declined}/Explain`,
    );
    expect(text).toContain(explained.LastTime.Sentence);
    expect(text).toContain(explained.When.Sentence);
    await page.getByRole('article', { name: `Order ${shop.orders.lost} of Mary Byron` }).waitFor();
    expect(searchOf(page)).toEqual({ problem: '2000' });
    expect(faults).toEqual([]);
  });

  it('a corrected card is charged now: from the failed order to one that a worker has processed', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.declined;
    await open(`s/${shop.siteId}/failures?problem=Retrying`);
    await page.getByRole('link', { name: `Change the payment method: order ${id}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Payment method' });
    await dialog.getByText('Now: Visa of Grace.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByLabel('What to call it').fill('Mastercard of Grace');
    await dialog.getByLabel('Its id at the gateway').fill('pm_grace_new');
    await dialog.getByRole('button', { name: 'Save, then process' }).click();
    const sure = page.getByRole('dialog', { name: /^Process order .* now\?$/ });
    await sure.getByText('12.50 USD').waitFor();
    await sure.getByText('Mastercard of Grace').waitFor();
    expect((await shop.cycles(id))[0]).toMatchObject({ State: 'Retrying' });
    await sure.getByRole('button', { name: 'Process now' }).click();

    await page.getByRole('region', { name: 'Last time' }).getByText('Completed').waitFor();
    expect(await page.getByRole('region', { name: /declined/ }).count()).toBe(0);
    expect(await shop.order(id)).toMatchObject({ Status: 'Active', PaymentMethodId: 'pm_grace_new' });
    const [newest, ...older] = await shop.cycles(id);
    expect(newest).toMatchObject({ State: 'Completed', Cycle: 1 });
    expect([newest!.Attempts, older]).toEqual([3, []]);
    expect(faults).toEqual([]);
  });

  it('an order that was given up says so, and goes on with another card', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.lost;
    await open(pageOf(id));
    const trouble = page.getByRole('region', { name: /The card was declined/ });
    await trouble.getByText('The order is Pending').waitFor();
    await trouble.getByRole('button', { name: 'Change the payment method' }).click();
    const dialog = page.getByRole('dialog', { name: 'Payment method' });
    await dialog.getByLabel('Its id at the gateway').fill('pm_mary_new');
    await dialog.getByLabel('This order alone').check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await shop.order(id)).toMatchObject({ Status: 'Pending', PaymentMethodId: 'pm_mary_new' });
    await trouble.getByRole('button', { name: 'Then process now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Process now' }).click();
    await page.getByRole('region', { name: 'Last time' }).getByText('Completed').waitFor();
    expect((await shop.order(id)).Status).toBe('Active');
    expect(faults).toEqual([]);
  });
});

describe('A customer calls', () => {
  it('one box is skipped for a holiday', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.good;
    await open(`s/${shop.siteId}/scheduled-orders`);
    await page.getByLabel('Search', { exact: true }).fill('ada@');
    await page.keyboard.press('Enter');
    await page.getByText('1 order', { exact: true }).waitFor();
    await page.getByRole('link', { name: String(id), exact: true }).click();
    await page.getByRole('button', { name: 'Skip the next one' }).click();
    const before = await shop.order(id);
    const sure = page.getByRole('dialog', { name: /^Skip the next one/ });
    await sure.getByText('is passed over without charging').waitFor();
    expect(searchOf(page)).toEqual({ dialog: 'skip' });
    await sure.getByRole('button', { name: 'Skip it' }).click();
    await page.getByRole('region', { name: 'Last time' }).getByText('Skipped', { exact: true }).waitFor();
    const after = await shop.order(id);
    expect(Date.parse(after.NextOccurrenceUtc) - Date.parse(before.NextOccurrenceUtc)).toBe(86_400_000);
    await page.getByRole('region', { name: 'Next' }).getByText('25 Nov 2026, 09:00 UTC').waitFor();

    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText(`User ${shop.account.userId}`, { exact: false }).first().waitFor();
    await page.getByRole('tab', { name: 'Cycles' }).click();
    await page.getByRole('link', { name: 'Explain cycle 1' }).click();
    await page.getByText('Calculated again: the same').waitFor();
    expect(searchOf(page)).toEqual({ tab: 'cycles', cycle: '1' });
    expect(faults).toEqual([]);
  });

  it('the next one is moved to another instant', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.good;
    await open(pageOf(id, '?dialog=reschedule'));
    const at = page.getByLabel('Next occurrence, in UTC');
    await at.fill('2026-12-05T10:30');
    await page.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
    await page.getByRole('region', { name: 'Next' }).getByText('5 Dec 2026, 10:30 UTC').waitFor();
    expect((await shop.order(id)).NextOccurrenceUtc).toBe('2026-12-05T10:30:00.000Z');
    expect(faults).toEqual([]);
  });

  it('items are added, changed and removed', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.empty;
    await open(pageOf(id));
    await page
      .getByRole('region', { name: /The order has no items/ })
      .getByRole('button', { name: 'Add an item' })
      .click();
    const adding = page.getByRole('dialog', { name: 'Add an item' });
    await adding.getByRole('button', { name: 'Add', exact: true }).waitFor();
    await adding.getByRole('combobox', { name: 'Product' }).fill('tea-');
    await page.getByRole('option', { name: 'Assam · TEA-1' }).click();
    await adding.getByLabel('Quantity').fill('2');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await adding.waitFor({ state: 'hidden' });
    expect((await shop.order(id)).ScheduledOrderItems).toMatchObject([{ ProductId: shop.tea, Quantity: 2 }]);

    await page.getByRole('button', { name: 'Change the quantity of Assam' }).click();
    const changing = page.getByRole('dialog', { name: 'Assam' });
    await changing.getByLabel('Quantity').fill('99999999999');
    await changing.getByRole('button', { name: 'Save' }).click();
    await changing.getByRole('alert').waitFor();
    expect(await changing.getByLabel('Quantity').getAttribute('aria-invalid')).toBe('true');
    await changing.getByLabel('Quantity').fill('3');
    await changing.getByRole('button', { name: 'Save' }).click();
    await page.getByText('24.00 USD').first().waitFor();
    expect((await shop.order(id)).ScheduledOrderItems).toMatchObject([{ Quantity: 3 }]);

    await page.getByRole('button', { name: 'Remove Assam' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await shop.order(id)).ScheduledOrderItems).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('what is not possible now says why, in the words of the refusal', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const { id, because } = await newlyCharged();
    await open(pageOf(id));
    const button = page.getByRole('button', { name: 'Process now' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    const reason = await button.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${reason}"]`).innerText()).toBe(because);
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('a paused order is made active', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.paused;
    await open(pageOf(id));
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await until(async () => (await shop.order(id)).Status === 'Active');
    await page.getByText('Active', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('schedule and address are changed', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.paused;
    await open(pageOf(id, '?tab=settings'));
    await page.getByRole('button', { name: 'Change the schedule' }).click();
    await page.getByLabel('Frequency', { exact: true }).selectOption('Weeks');
    await page.getByLabel('Weeks').fill('999');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Weeks').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Weeks').fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/Every 2 weeks/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByLabel('City').fill('Lyon');
    await page.getByLabel('Country').fill('FR');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Lyon').waitFor();
    expect(await shop.order(id)).toMatchObject({ FrequencyType: 'Weeks', Frequency: 2, ShippingCity: 'Lyon' });
    expect(faults).toEqual([]);
  });

  it('a deleted order is asked about first; then it tells its story, and is found among the deleted ones', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const id = shop.orders.cancelled;
    await open(pageOf(id, '?tab=settings'));
    await page.getByRole('button', { name: 'Delete the order' }).click();
    await page
      .getByRole('dialog', { name: `Delete order ${id}?` })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('Delete scheduled order').first().waitFor();
    await page.getByText('It is not charged any more, and nothing of it can be changed.').waitFor();
    await open(`s/${shop.siteId}/scheduled-orders`);
    await page.getByLabel('Deleted orders').check();
    await page.getByRole('link', { name: String(id), exact: true }).waitFor();
    expect(searchOf(page)).toEqual({ deleted: 'true' });
    expect(faults).toEqual([]);
  });
});

describe('A dialog', () => {
  const focused = (page: Page) =>
    page.evaluate<string>(`document.activeElement.id || document.activeElement.innerText`);

  it.each([
    ['skip', 'Skip it', 'Skipped'],
    ['process', 'Process now', 'Completed'],
  ])('pressed again after a lost answer, does it once: %s', async (dialog, verb, state) => {
    const id = await newOrder();
    const before = await shop.order(id);
    const { page, open, faults } = await loggedIn(shop.account);
    const keys: (string | undefined)[] = [];
    await page.route(/\/(Skip|Process)$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await open(pageOf(id, `?dialog=${dialog}`));
    const sure = page.getByRole('dialog');
    await sure.getByRole('button', { name: verb }).click();
    await sure.getByText('The API did not answer').waitFor();
    await until(async () => (await shop.cycles(id))[0]?.State === state);
    await readAgain(page, [/\/Explain$/, /\/ScheduledOrders\/\d+$/]);
    await sure.getByRole('button', { name: verb }).click();
    await sure.waitFor({ state: 'hidden' });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);

    expect(await shop.cycles(id)).toMatchObject([{ State: state, Cycle: 1 }]);
    const after = await shop.order(id);
    const moved = Date.parse(after.NextOccurrenceUtc) - Date.parse(before.NextOccurrenceUtc);
    expect(moved).toBeLessThanOrEqual(86_400_000);
    const charged = await tested.database.query('SELECT id FROM orders WHERE scheduled_order_id = $1', [id]);
    expect(charged).toHaveLength(dialog === 'process' ? 1 : 0);
    expect(faults).toEqual([]);
  });

  it('of what is not possible says why, and can only be closed; Back does not open it again', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    const { id, because } = await newlyCharged();
    await open(pageOf(id, '?dialog=process'));
    const dialog = page.getByRole('dialog', { name: `Process order ${id} now?` });
    await dialog.getByText(because).waitFor();
    expect(await dialog.getByRole('button', { name: 'Process now' }).count()).toBe(0);
    await dialog.getByText('Close', { exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });

    await open(pageOf(id));
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.getByText('What you can do').waitFor();
    expect([searchOf(page), await page.getByRole('dialog').count()]).toEqual([{}, 0]);
    expect(faults).toEqual([]);
  });

  it('stays open while its command runs', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn(shop.account);
    let release: (() => void) | undefined;
    await page.route(`**/api/ScheduledOrders/${id}`, async (route) => {
      if (route.request().method() === 'PUT') await new Promise<void>((resolve) => (release = resolve));
      await route.continue();
    });
    for (const [dialog, verb] of [
      ['pause', 'Pause'],
      ['schedule', 'Save'],
    ] as const) {
      await open(pageOf(id, `?dialog=${dialog}`));
      const shown = page.getByRole('dialog', { name: `order ${id}` });
      await shown.getByRole('button', { name: verb }).click();
      await until(() => release !== undefined);
      // The request leaves before the dialog has been drawn again, which is when it stops listening for Escape.
      await until(() => shown.getByRole('button', { name: 'Cancel' }).isDisabled());
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 500);
      expect(await shown.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
      expect(await shown.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
      expect([await shown.count(), searchOf(page)]).toEqual([1, { dialog }]);
      release!();
      release = undefined;
      await shown.waitFor({ state: 'hidden' });
    }
    expect((await shop.order(id)).Status).toBe('Paused');
    expect(faults).toEqual([]);
  });

  it('gives the focus back to what opened it, or else to the page', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn(shop.account);
    await open(pageOf(id));
    await page.getByRole('button', { name: 'Pause', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Pause');

    // Afterwards it is the same button, and says why it is not possible.
    const process = page.getByRole('button', { name: 'Process now' });
    await process.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Process now' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('region', { name: 'Last time' }).getByText('Completed').waitFor();
    await until(async () => (await process.getAttribute('aria-disabled')) === 'true');
    expect(await focused(page)).toBe('Process now');

    await open(pageOf(id, '?dialog=pause'));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('content');
    expect(faults).toEqual([]);
  });

  it('starts another count with another type of schedule', async () => {
    const id = await newOrder();
    const { page, open } = await loggedIn(shop.account);
    await open(pageOf(id, '?dialog=schedule'));
    await page.getByRole('textbox', { name: 'Days', exact: true }).fill('12');
    await page.getByLabel('Frequency', { exact: true }).selectOption('DayOfTheWeek');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await shop.order(id)).toMatchObject({ FrequencyType: 'DayOfTheWeek', Frequency: 1 });
  });

  it('or not, a page that cannot be read again says so above what it has', async () => {
    const { page, open } = await loggedIn(shop.account);
    const id = shop.orders.good;
    await open(pageOf(id));
    await page.getByText('What you can do').waitFor();
    await page.route(`**/api/ScheduledOrders/${id}`, (route) => route.fulfill({ status: 500, body: '' }));
    await readAgain(page, [/\/Explain$/, /\/ScheduledOrders\/\d+$/]);
    await page.getByRole('alert').getByText('Something went wrong in the service').waitFor();
    expect(await page.getByText('What you can do').count()).toBe(1);
  });
});

it('another record on the same page takes the focus', async () => {
  const { page, open, faults } = await loggedIn(shop.account);
  await open(`s/${shop.siteId}/products`);
  await page.getByRole('link', { name: 'Espresso' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Espresso' }).waitFor();
  await until(async () => (await page.evaluate(`document.activeElement.id`)) === 'content');
  expect(faults).toEqual([]);
});

it('gross prices and taxed shipping add up, each with what is listed', async () => {
  const given = givenIn(tested.database);
  const siteId = await given.site(shop.account.userId, { name: 'Gross Shop' });
  await given.taxRate(siteId, { country: 'DE', rate: '19', name: 'VAT', appliesToShipping: true });
  await given.shippingRate(siteId, { basePrice: '5', name: 'Post' });
  const orderId = await given.scheduledOrder(siteId, await given.customer(siteId), { shippingCountry: 'DE' });
  await given.item(siteId, orderId, await given.product(siteId), { price: '119' });
  await shop.call('PUT', `Site/${siteId}/Settings`, { Prices: 'Gross', ShippingTax: 'ByRate' });
  const { page, open, faults } = await loggedIn(shop.account);
  await open(`s/${siteId}/scheduled-orders/${orderId}`);
  const parts = page.getByRole('region', { name: 'What the amount is made of' });
  await parts.getByText('Prices of items have tax in them').waitFor();
  const [, line, shipping] = await parts.getByRole('row').allInnerTexts();
  expect(line).toMatch(/VAT 19 %: 19\.00 USD[^]*100\.00 USD\s+listed: 119\.00 USD/);
  expect(shipping).toMatch(/Post\s+VAT 19 %: 0\.95 USD[^]*5\.00 USD/);
  expect(await row(page, 'Total').last().innerText()).toContain('124.95 USD');

  await shop.call('PUT', `ScheduledOrders/${orderId}`, { ShippingTotal: 1000 });
  await page.reload();
  expect(await row(page, 'Shipping (fixed by the shop)').innerText()).toMatch(/VAT 19 %: 1\.90 USD\s+10\.00 USD/);
  expect(faults).toEqual([]);
});

describe('Nothing is lost', () => {
  it('a reload keeps filters, tab and dialog', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    await open(`s/${shop.siteId}/scheduled-orders`);
    await page.getByLabel('Status').selectOption('Active');
    await page.getByRole('combobox', { name: 'Product' }).fill('esp');
    await page.getByRole('option', { name: 'Espresso · ESP-1' }).click();
    await page.getByLabel('Next from').fill('2026-11-01');
    await page.keyboard.press('Enter');
    const sorted = page.waitForResponse(
      (answer) => answer.url().includes('/api/ScheduledOrders?') && answer.url().includes('sort=-NextOccurrenceUtc'),
    );
    await page.getByLabel('Sorted by').selectOption('-NextOccurrenceUtc');
    await sorted;
    await page.locator('[aria-label="Scheduled orders"] table[aria-busy="false"]').waitFor();
    const wanted = { status: 'Active', productId: String(shop.coffee), from: '2026-11-01', sort: '-NextOccurrenceUtc' };
    await until(() => JSON.stringify(searchOf(page)) === JSON.stringify(wanted));
    const rows = page.getByRole('region', { name: 'Scheduled orders' }).getByRole('row');
    const shown = async () => (await rows.allInnerTexts()).slice(1);
    await until(async () => (await shown()).every((text) => text.includes('Active') && text.includes('Espresso')));
    const before = await shown();
    await page.reload();
    await rows.nth(1).waitFor();
    expect(await shown()).toEqual(before);
    expect(searchOf(page)).toEqual(wanted);
    await until(
      async () => (await page.getByRole('combobox', { name: 'Product' }).inputValue()) === 'Espresso · ESP-1',
    );

    await open(pageOf(shop.orders.good, '?tab=settings&dialog=address'));
    await page.reload();
    await page.getByRole('dialog', { name: 'Delivery address' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Schedule, payment, delivery');
    expect(faults).toEqual([]);
  });

  it('a session that ends in the middle leads back to the same order', async () => {
    const { page, open, logIn, faults } = await loggedIn(shop.account);
    await open(pageOf(shop.orders.good, '?tab=cycles'));
    await page.getByRole('region', { name: 'Cycles' }).waitFor();
    await page.request.delete(`${tested.url}/api/Session`, { headers: { 'X-Requested-With': 'console' } });
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Log in to go on where you were.').waitFor();
    await logIn(shop.account);
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${pageOf(shop.orders.good)}`);
    expect(searchOf(page)).toEqual({ tab: 'timeline' });
    expect(faults).toEqual([]);
  });

  it('an order of another account shows nothing of it', async () => {
    const stranger = await tested.account({ name: 'Elsewhere' });
    const { page, open, faults } = await loggedIn(stranger);
    await open(`s/${stranger.siteId}/scheduled-orders/${shop.orders.good}`);
    await page.getByRole('heading', { name: 'No such order' }).waitFor();
    expect(await page.content()).not.toMatch(/ada@|Byron|Espresso/);
    await open(pageOf(shop.orders.good));
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    expect(await page.content()).not.toMatch(/ada@|Byron|Espresso|Monday Coffee/);
    expect(faults).toEqual([]);
  });

  it('an order of another shop of the account leads there', async () => {
    const { page, open } = await loggedIn(shop.account);
    await open(`s/${shop.account.siteId}/scheduled-orders/${shop.orders.good}`);
    await page.getByRole('link', { name: 'Open it in its shop' }).click();
    await page.getByRole('region', { name: 'Next' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${pageOf(shop.orders.good)}`);
  });
});

describe('Many orders', () => {
  let siteId: number;

  beforeAll(async () => {
    const given = givenIn(tested.database);
    siteId = await given.site(shop.account.userId, { name: 'Large Shop' });
    const productId = await given.product(siteId, { title: '=Formula' });
    for (let count = 0; count < 105; count++) {
      const customerId = await given.customer(siteId, { lastName: `Many${count}` });
      await given.item(siteId, await given.scheduledOrder(siteId, customerId), productId);
    }
  });

  it('come 100 to a page, with their number', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    await open(`s/${siteId}/scheduled-orders`);
    const rows = page.getByRole('region', { name: 'Scheduled orders' }).getByRole('row');
    await page.getByText('105 orders').waitFor();
    expect(await rows.count()).toBe(101);
    await page.getByRole('link', { name: 'Next page' }).click();
    await until(async () => (await rows.count()) === 6);
    expect(searchOf(page)).toEqual({ cursor: expect.any(String) });
    await page.goBack();
    await until(async () => (await rows.count()) === 101);
    expect(faults).toEqual([]);
  });

  it('are saved as the table of the API, by the same filter', async () => {
    const { page, open, faults } = await loggedIn(shop.account);
    await open(`s/${siteId}/scheduled-orders?q=many10`);
    await page.getByText('6 orders').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = readFileSync(await (await saved).path(), 'utf8');
    const answer = await fetch(`${tested.url}/api/ScheduledOrders?SiteId=${siteId}&q=many10`, {
      headers: { authorization: `Basic ${shop.account.tokenAuth}`, accept: 'text/csv' },
    });
    expect(file).toBe(await answer.text());
    expect(file.split('\r\n').filter((line) => line !== '')).toHaveLength(7);
    expect(faults).toEqual([]);
  });
});

it('every part says so when it has nothing', async () => {
  const { page, open, faults } = await loggedIn(shop.account);
  await open(`s/${shop.account.siteId}/scheduled-orders`);
  await page.getByText('No scheduled orders yet').waitFor();
  await open(`s/${shop.account.siteId}/scheduled-orders?status=Paused`);
  await page.getByText('No order passes these filters').waitFor();
  await open(`s/${shop.account.siteId}/failures`);
  await page.getByText('Nothing has failed').waitFor();
  await page.getByText('Nothing was charged in the last seven days').waitFor();
  await open(`s/${shop.account.siteId}/failures?problem=Waiting`);
  await page.getByText('None of them is left').waitFor();
  await page.getByRole('link', { name: 'Look at the payment integrations' }).waitFor();
  expect(faults).toEqual([]);
});

it('a wrong cursor is told, and the first page is one step away', async () => {
  const { page, open, faults } = await loggedIn(shop.account);
  await open(`s/${shop.siteId}/scheduled-orders?cursor=wrong&status=Nothing&from=yesterday`);
  await page.getByRole('alert').getByText('cursor').waitFor();
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByRole('region', { name: 'Scheduled orders' }).waitFor();
  expect(faults).toEqual([]);
});

describe('The pages look good, light and dark, narrow and wide', () => {
  async function deletedOrder(): Promise<number> {
    const id = await newOrder();
    await shop.call('DELETE', `ScheduledOrders/${id}`);
    return id;
  }

  it.each([
    ['scheduled-orders', () => `s/${shop.siteId}/scheduled-orders`, 'Ada Byron'],
    ['order', () => pageOf(shop.orders.empty), 'What you can do'],
    ['order-settings', () => pageOf(shop.orders.good, '?tab=settings'), 'Delete the order'],
    ['order-timeline', () => pageOf(shop.orders.good, '?tab=timeline'), 'Create scheduled order'],
    ['order-cycles', () => pageOf(shop.orders.good, '?tab=cycles&cycle=1'), 'Calculated again: the same'],
    ['order-payment', () => pageOf(shop.orders.good, '?dialog=payment'), 'Another card'],
    ['order-deleted', async () => pageOf(await deletedOrder()), 'As it was'],
    ['failures', () => `s/${shop.siteId}/failures?problem=1000`, 'Order'],
    ['failures-all', () => `s/${shop.siteId}/failures`, 'The last seven days'],
    ['failures-empty', () => `s/${shop.account.siteId}/failures`, 'Nothing has failed'],
    ['scheduled-orders-empty', () => `s/${shop.account.siteId}/scheduled-orders`, 'No scheduled orders yet'],
  ])('%s', async (name, path, words) => {
    await expectGoodLooks(tested, shop.account, `console-${name}`, await path(), (page) =>
      page.getByText(words).filter({ visible: true }).first().waitFor(),
    );
  });
});
