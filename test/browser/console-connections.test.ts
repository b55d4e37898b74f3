import type { Page } from 'playwright-core';
import { Vault } from '#libs/platform';
import { TEST_ENCRYPTION_KEY } from '../support/api.js';
import { answers, WebhookReceiver } from '../support/events/webhook-receiver.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { accessibilityFaults, type Account, expectGoodLooks, picture, useConsole } from './console.js';

const tested = useConsole({ withWorker: true, env: { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1' } });
const given = givenIn(tested.database);
let account: Account;
let receiver: WebhookReceiver;

beforeAll(async () => {
  account = await tested.account({ name: 'Coffee Shop', currencyIso: 'EUR' });
  receiver = await WebhookReceiver.start();
});

afterAll(() => receiver.stop());

/** What the API says, asked without the browser. */
async function ask<T>(path: string, { tokenAuth }: { readonly tokenAuth: string } = account, init: RequestInit = {}) {
  const headers = { authorization: `Basic ${tokenAuth}`, 'content-type': 'application/json' };
  const answer = await fetch(`${tested.url}${path}`, { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as T };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
/** What a command changed is shown under its dialog already, just before that closes. */
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

describe('Webhooks', () => {
  it('adds an endpoint, sends a test, and sends a failed delivery again', async () => {
    const { page, faults, open } = await tested.loggedIn(account);
    await open(`s/${account.siteId}/webhooks`);
    await page.getByText('No webhook endpoints yet').waitFor();
    await button(page, 'Add the first endpoint').click();
    await page.getByLabel('Address').fill('ftp://shop.example/hooks');
    await button(page, 'Add').click();
    await page.getByText('Correct the fields that are marked').waitFor();
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Name').fill('Order system');
    await button(page, 'Add').click();

    const secret = page.getByLabel('Secret', { exact: true });
    await secret.waitFor();
    const [endpoint] = (await ask<{ Id: number; Url: string }[]>('/api/WebhookEndpoints')).body;
    expect(endpoint).toMatchObject({ Url: receiver.url, Description: 'Order system', Status: 'Enabled' });
    const kept = await ask<{ Secret: string }>(`/api/WebhookEndpoint/${endpoint!.Id}/Secret`);
    expect(await secret.inputValue()).toBe(kept.body.Secret);
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, 'Done').click();

    receiver.always = answers(500, {}, 'The order system is down.');
    await button(page, 'Send a test').click();
    await button(page, 'Send it').click();
    await page.getByText('It was not received').waitFor();
    expect(await dialog(page).innerText()).toContain('The order system is down.');
    expect(await dialog(page).innerText()).toContain('The answer was 500');
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, 'Close').last().click();
    await dialog(page).waitFor({ state: 'detached' });

    const sentBefore = receiver.received.length;
    await pauseAnOrder();
    // Its first try and the next, 5 seconds later. The one after these is minutes away.
    await until(() => receiver.received.length >= sentBefore + 2);
    await page.reload();
    const failed = page.getByRole('link', { name: 'scheduled_order.paused' });
    await failed.click();
    await page.getByText('Answered 500').first().waitFor();
    expect(await dialog(page).innerText()).toContain('The order system is down.');
    expect(await dialog(page).innerText()).toContain('"type": "scheduled_order.paused"');
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'webhook-delivery');
    await page.reload();
    await page.getByText('Answered 500').first().waitFor();

    receiver.always = answers(204, {}, '');
    const [first] = receiver.received.slice(sentBefore);
    const resentAt = receiver.received.length;
    await button(page, 'Send it again').click();
    await page.getByText('The receiver has it since').waitFor();
    expect(receiver.received[resentAt]).toMatchObject({ id: first!.id, body: first!.body });
    const deliveries = await ask<{ State: string }[]>(`/api/WebhookEndpoint/${endpoint!.Id}/Deliveries`);
    expect(deliveries.body).toMatchObject([{ State: 'Delivered' }]);
    expect(faults).toEqual([]);
  });

  async function pauseAnOrder(): Promise<void> {
    const customerId = await given.customer(account.siteId);
    const orderId = await given.scheduledOrder(account.siteId, customerId);
    const body = JSON.stringify({ Status: 'Paused' });
    const { status } = await ask(`/api/ScheduledOrders/${orderId}`, account, { method: 'PUT', body });
    expect(status).toBe(200);
  }

  it('changes an endpoint, makes a new secret, disables and deletes it, asking first', async () => {
    const owner = await tested.account();
    const body = JSON.stringify({ SiteId: owner.siteId, Url: receiver.url });
    const made = await ask<{ Id: number }>('/api/WebhookEndpoints', owner, { method: 'POST', body });
    const path = `/api/WebhookEndpoint/${made.body.Id}`;
    const before = await ask<{ Secret: string }>(`${path}/Secret`, owner);
    const { page, faults, open } = await tested.loggedIn(owner);
    await open(`s/${owner.siteId}/webhooks?endpoint=${made.body.Id}`);

    await button(page, 'Change').click();
    await page.getByLabel('Most events a second').fill('100000');
    await button(page, 'Save').click();
    await page.getByText('Correct the fields that are marked').waitFor();
    await page.getByLabel('Most events a second').fill('3');
    await button(page, 'Save').click();
    await page.getByText('3 a second').waitFor();
    await closed(page);

    await button(page, 'New secret').click();
    await button(page, 'Make a new one').click();
    await page.getByText('The secret before it signs as well').waitFor();
    const after = await ask<{ Secret: string }>(`${path}/Secret`, owner);
    expect(after.body.Secret).not.toBe(before.body.Secret);
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toBe(after.body.Secret);
    await button(page, 'Done').click();

    await button(page, 'Disable').click();
    await dialog(page).getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Nothing is sent to it', { exact: true }).waitFor();
    await closed(page);
    expect((await ask(path, owner)).body).toMatchObject({ Status: 'Disabled', RatePerSecond: 3 });
    await button(page, 'Enable it').click();
    await dialog(page).getByRole('button', { name: 'Enable' }).click();
    await button(page, 'Disable').waitFor();
    await closed(page);

    await button(page, 'Send what was missed').click();
    await button(page, 'Send them').click();
    await page.getByText('Correct the fields that are marked').waitFor();
    await page.getByLabel('From, in UTC').fill('2026-01-01T00:00');
    await button(page, 'Send them').click();
    await page.getByText('0 events are sent now.').waitFor();
    await closed(page);

    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhook endpoints yet').waitFor();
    expect((await ask(path, owner)).status).toBe(404);
    expect(faults).toEqual([]);
  });
});

describe('Test clocks', () => {
  it('makes a copy of a shop, moves it by a month, and deletes it', async () => {
    const owner = await tested.account({ name: 'Tea Shop' });
    await given.product(owner.siteId, { title: 'Green tea' });
    const { page, faults, open } = await tested.loggedIn(owner);
    await open(`s/${owner.siteId}/test-clocks`);
    await page.getByText('No test shops yet').waitFor();
    await button(page, 'Make the first one').click();
    await button(page, 'Make it').click();
    await page.getByText('Correct the fields that are marked').waitFor();
    await page.getByLabel('Name').fill('A year of tea');
    await page.getByLabel('What its clock says at first').fill('2026-01-10T00:00');
    await page.getByLabel('Begin with a copy of').selectOption({ label: 'Tea Shop' });
    await button(page, 'Make it').click();
    const card = page.getByRole('region', { name: 'A year of tea' });
    await card.getByText('10 Jan 2026, 00:00 UTC').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    const [{ SiteId: siteId }] = (await ask<[{ SiteId: number }]>('/api/TestClocks', owner)).body;
    const products = await ask<{ Id: number; Title: string }[]>(`/api/Products?SiteId=${siteId}`, owner);
    expect(products.body).toMatchObject([{ Title: 'Green tea' }]);
    await orderOf(siteId, products.body[0]!.Id);

    await card.getByRole('button', { name: 'Move on' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, 'Move it').click();
    await card.getByText('Last move on: to').waitFor();
    await card.getByText('10 Feb 2026, 00:00 UTC').first().waitFor();
    expect(await card.innerText()).toContain('1 occurrence processed');
    const calendar = await ask<{ Total: number }[]>(
      `/api/Site/${siteId}/Calendar?From=2026-01-01&To=2026-02-01`,
      owner,
    );
    expect(calendar.body).toMatchObject([{ Day: '2026-01-15', Processed: 1, CurrencyIso: 'USD' }]);

    await open(`s/${siteId}/calendar`);
    await page.getByText('Feb 2026', { exact: true }).waitFor();
    const month = page.getByRole('table', { name: /^(Jan|Feb) 2026/ });
    expect(await month.getByRole('link', { name: /^Sun 15 Feb 2026/ }).innerText()).toContain('1 due');
    await button(page, 'Month before').click();
    const day = month.getByRole('link', { name: /^Thu 15 Jan 2026/ });
    const charged = `${(calendar.body[0]!.Total / 100).toFixed(2)} USD`;
    expect(
      (await day.innerText())
        .split('\n')
        .slice(-2)
        .map((line) => line.trim()),
    ).toEqual(['1 processed', charged]);
    await day.click();
    const orders = page.getByRole('region', { name: 'Orders of this day' });
    await orders.getByText('15 Jan 2026, 10:00 UTC').waitFor();
    expect(await orders.getByRole('row').count()).toBe(2);
    expect(await orders.getByRole('row').last().innerText()).toContain(charged);
    expect(new URL(page.url()).search).toBe('?month=2026-01&day=2026-01-15');

    await open(`s/${siteId}/test-clocks`);
    await card.getByRole('button', { name: 'To what comes next' }).click();
    await card.getByText('15 Feb 2026, 10:00 UTC').first().waitFor();

    await card.getByRole('button', { name: 'Outage' }).click();
    await button(page, 'Have an outage').click();
    await card.getByText('17 Feb 2026, 10:00 UTC').first().waitFor();
    await closed(page);

    // As after the 100,000 cycles that one Advance takes up.
    await tested.database.query(`UPDATE test_clocks SET target_utc = now_utc + interval '1 month' WHERE site_id = $1`, [
      siteId,
    ]);
    await page.reload();
    await card.getByText('It stopped on its way to 17 Mar 2026, 10:00 UTC').waitFor();

    await card.getByRole('button', { name: 'Delete' }).click();
    await button(page, 'Cancel').click();
    await card.getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    // Its own pages are gone with it: the first shop is shown.
    await page.getByRole('button', { name: 'Shop: Tea Shop' }).waitFor();
    expect((await ask('/api/TestClocks', owner)).body).toEqual([]);
    expect(faults).toEqual([]);
  });

  /** Monthly, from 15 January, paid with the sandbox. */
  async function orderOf(siteId: number, productId: number): Promise<void> {
    await given.integration(Vault.fromSetting(TEST_ENCRYPTION_KEY), siteId);
    const at = '2026-01-15T10:00:00Z';
    const orderId = await given.scheduledOrder(siteId, await given.customer(siteId), {
      nextOccurrenceUtc: at,
      scheduleAnchorUtc: at,
      paymentMethodType: 'GatewayOne',
      paymentMethodCustomerId: 'cus_1',
      paymentMethodId: 'pm_card',
    });
    await given.item(siteId, orderId, productId);
  }
});

describe('Keys', () => {
  it('makes a key, which works until it is ended', async () => {
    const owner = await tested.account({ name: 'Key Shop' });
    const { page, faults, open } = await tested.loggedIn(owner);
    await open(`s/${owner.siteId}/keys`);
    await button(page, 'Make the first one').click();
    await button(page, 'Make it').click();
    await page.getByText('Correct the fields that are marked').waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Name').fill('Back end');
    await page.getByLabel('Read only').check();
    await button(page, 'Make it').click();
    const value = await page.getByLabel('Value of the key', { exact: true }).inputValue();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, 'I have copied it').click();
    await page.getByRole('rowheader', { name: 'Back end' }).waitFor();
    expect(await page.content()).not.toContain(value);

    const sites = `/api/Site/${owner.siteId}`;
    expect(await ask(sites, { tokenAuth: value })).toMatchObject({ status: 200, body: { Name: 'Key Shop' } });
    await button(page, 'End the key Back end').click();
    await button(page, 'End it').click();
    await page.getByText('No API keys yet').waitFor();
    expect((await ask(sites, { tokenAuth: value })).status).toBe(401);
    expect(faults).toEqual([]);
  });

  it('ends the session of this browser, which leads to the log-in page', async () => {
    const owner = await tested.account();
    const { page, faults, open } = await tested.loggedIn(owner);
    await open(`s/${owner.siteId}/keys`);
    const row = page.getByRole('row').filter({ hasText: 'This browser' });
    await row.getByRole('button').click();
    await page.getByText('You have to log in again.').waitFor();
    await button(page, 'End it').click();
    await button(page, 'Log in').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('Shop', () => {
  it('saves what was changed, and shows faults at their fields', async () => {
    const owner = await tested.account({ name: 'Old Name' });
    const { page, faults, open } = await tested.loggedIn(owner);
    await open(`s/${owner.siteId}/shop?tab=settings`);
    const form = page.getByRole('form', { name: 'The shop' });
    await form.getByLabel('Name').fill('New Name');
    await form.getByLabel('Currency').fill('EURO');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Correct the fields that are marked').waitFor();
    expect(await form.getByLabel('Currency').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Currency').fill('EUR');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Nothing is changed.').waitFor();
    expect((await ask(`/api/Site/${owner.siteId}`, owner)).body).toMatchObject({
      Name: 'New Name',
      CurrencyIso: 'EUR',
    });
    await button(page, 'Shop: New Name. Choose another').waitFor();

    const prices = page.getByRole('form', { name: 'Prices and taxes' });
    await prices.getByRole('radiogroup', { name: 'Prices of items' }).getByLabel('They have tax in them').check();
    await prices.getByLabel('Without the tax of the shop’s home, with').check();
    await prices.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Correct the fields that are marked').waitFor();
    await prices.getByLabel('Country').fill('DE');
    await prices.getByRole('button', { name: 'Save' }).click();
    await prices.getByText('Nothing is changed.').waitFor();
    expect((await ask(`/api/Site/${owner.siteId}/Settings`, owner)).body).toMatchObject({
      Prices: 'Gross',
      GrossOutside: 'Adjust',
      HomeCountry: 'DE',
    });
    expect(faults).toEqual([]);
  });
});

describe('Operations', () => {
  interface Operations {
    readonly Version: string;
    readonly Writes: { readonly Accepted: boolean; readonly Refusal: string | null };
    readonly Workers: { readonly Connected: number };
    readonly Orders: Readonly<Record<'Retrying' | 'Waiting' | 'Unknown' | 'Overdue', number>>;
    readonly Integrations: { readonly Waits: readonly object[] };
    readonly Webhooks: { readonly EndpointsFailing: number; readonly EndpointsDisabled: number };
  }

  /** A figure's name, its state and its value, as they are shown. */
  async function figure(page: Page, name: string): Promise<readonly string[]> {
    const heading = page.getByRole('heading', { name, level: 3, exact: true });
    const shown = await page.locator('.mantine-Paper-root').filter({ has: heading }).innerText();
    const lines = shown.split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '').slice(0, 3);
  }

  it('says what works, and leads to what does not', async () => {
    const { page, faults, open } = await tested.loggedIn(account);
    await open(`s/${account.siteId}/operations`);
    await page.getByRole('heading', { name: 'Last sign of life' }).waitFor();
    const { body } = await ask<Operations>('/api/Operations');
    expect(body).toMatchObject({
      Workers: { Connected: 1 },
      Orders: { Waiting: 0 },
      Webhooks: { EndpointsFailing: 0 },
    });
    expect(await figure(page, 'Workers')).toEqual(['Workers', 'Good', '1']);
    expect((await figure(page, 'Last sign of life')).slice(0, 2)).toEqual(['Last sign of life', 'Good']);
    expect(await figure(page, 'Changes can be stored')).toEqual(['Changes can be stored', 'Good', 'Yes']);
    expect(await figure(page, 'May charge')).toEqual(['May charge', 'Good', 'Yes']);
    expect(await figure(page, 'Versions')).toEqual(['Versions', 'Good', body.Version]);
    for (const name of ['Overdue', 'Waiting for their payment integration', 'Outcome unknown', 'Endpoints that fail'])
      expect(await figure(page, name)).toEqual([name, 'Good', '0']);

    await page.getByRole('link', { name: 'Endpoints that fail' }).click();
    const filter = page.getByRole('switch', { name: 'Failing only' });
    await filter.waitFor();
    expect(await filter.isChecked()).toBe(true);
    expect(new URL(page.url()).search).toBe('?failing=true');
    expect(faults).toEqual([]);
  });

  it('says that changes cannot be stored, and why', async () => {
    const { page, faults, open } = await tested.loggedIn(account);
    await tested.database.query(`ALTER TABLE write_probes ADD CONSTRAINT ck_refused CHECK (filler = 'x')`);
    try {
      await until(async () => !(await ask<Operations>('/api/Operations')).body.Writes.Accepted);
      await open(`s/${account.siteId}/operations`);
      const name = 'Changes can be stored';
      await page.getByRole('heading', { name }).waitFor();
      expect(await figure(page, name)).toEqual([name, 'Bad', 'No']);
      await page.getByText('The database takes no writes: an INSERT that was tried failed (SQLSTATE 23514).').waitFor();
    } finally {
      await tested.database.query(`ALTER TABLE write_probes DROP CONSTRAINT ck_refused`);
    }
    expect(faults).toEqual([]);
  });

  it('says what does not work, and leads to its list', async () => {
    const owner = await tested.account({ name: 'Shop Without Gateway' });
    const id = await dueWithoutIntegration(owner.siteId);
    await until(async () => (await ask<Operations>('/api/Operations', owner)).body.Orders.Waiting === 1);
    const { page, faults, open } = await tested.loggedIn(owner);
    await open(`s/${owner.siteId}/operations`);
    const name = 'Waiting for their payment integration';
    await page.getByRole('heading', { name, exact: true }).waitFor();
    expect(await figure(page, name)).toEqual([name, 'Bad', '1']);
    expect(await figure(page, 'Orders wait for')).toEqual(['Orders wait for', 'Bad', '1']);
    await page.getByRole('link', { name: 'GatewayOne of Shop Without Gateway' }).waitFor();
    await page.locator('.mantine-Paper-root').filter({ hasText: name }).getByRole('link').click();
    await page.getByRole('article', { name: `Order ${id} of Ada` }).waitFor();
    expect(new URL(page.url()).search).toBe('?problem=Waiting');
    expect(faults).toEqual([]);
  });

  /** It is made due when it has its item. */
  async function dueWithoutIntegration(siteId: number): Promise<number> {
    const card = { paymentMethodType: 'GatewayOne', paymentMethodCustomerId: 'cus_1', paymentMethodId: 'pm_card' };
    const id = await given.scheduledOrder(siteId, await given.customer(siteId), card);
    await given.item(siteId, id, await given.product(siteId));
    await tested.database.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    return id;
  }
});

describe('Looks', () => {
  const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();

  it('are good on every page, light and dark, narrow and wide', async () => {
    const sitePath = `s/${account.siteId}`;
    const [endpoint] = (await ask<{ Id: number }[]>('/api/WebhookEndpoints')).body;
    await expectGoodLooks(tested, account, 'webhooks', `${sitePath}/webhooks`, (page) =>
      page.getByRole('link', { name: 'Order system' }).waitFor(),
    );
    const one = `${sitePath}/webhooks?endpoint=${endpoint!.Id}`;
    await expectGoodLooks(tested, account, 'webhook-endpoint', one, heading('Deliveries'));
    await expectGoodLooks(tested, account, 'keys', `${sitePath}/keys`, (page) =>
      page.getByText('This browser').waitFor(),
    );
    await expectGoodLooks(tested, account, 'operations', `${sitePath}/operations`, heading('Webhooks and events'));
    const body = JSON.stringify({ Name: 'A year of coffee', NowUtc: '2026-01-01T00:00:00Z', CopyOf: account.siteId });
    await ask('/api/TestClocks', account, { method: 'POST', body });
    await expectGoodLooks(tested, account, 'test-clocks', `${sitePath}/test-clocks`, heading('A year of coffee'));
  });
});
