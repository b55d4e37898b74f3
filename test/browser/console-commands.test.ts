import type { Page, Route } from 'playwright-core';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { accessibilityFaults, type Account, type ConsolePage, readAgain, useConsole } from './console.js';

const tested = useConsole();
const given = givenIn(tested.database);
const OCCURRENCE = '2027-03-01T10:00:30.000Z';

let account: Account;
let customerId: number;
let productId: number;

beforeAll(async () => {
  account = await tested.account({ name: 'Coffee Shop' });
  customerId = await given.customer(account.siteId, { firstName: 'Ada', lastName: 'Byron' });
  productId = await given.product(account.siteId, { title: 'Assam', sku: 'TEA-1', price: '8' });
});

interface Order {
  readonly NextOccurrenceUtc: string;
  readonly ShippingCity: string | null;
  readonly ShippingFirstName: string | null;
  readonly ScheduledOrderItems: readonly object[];
}

/** As a colleague or a program. */
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${tested.url}/api/${path}`, {
    method,
    headers: { authorization: `Basic ${account.tokenAuth}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

const order = (id: number) => call<Order>('GET', `ScheduledOrders/${id}`);

const newOrder = () =>
  given.scheduledOrder(account.siteId, customerId, {
    frequencyType: 'Months',
    frequency: 1,
    scheduleAnchorUtc: new Date(OCCURRENCE),
    nextOccurrenceUtc: new Date(OCCURRENCE),
    shippingCity: 'London',
  });

const loggedIn = (): Promise<ConsolePage> => tested.loggedIn(account);

const pageOf = (id: number, search = '') => `s/${account.siteId}/scheduled-orders/${id}${search}`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const endSession = (page: Page) =>
  page.request.delete(`${tested.url}/api/Session`, { headers: { 'X-Requested-With': 'console' } });

describe('While nobody knows whether an item was added', () => {
  const refusal = (status: number) => (route: Route) =>
    route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ detail: 'Later.' }) });
  const lost = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  const addItem = async (page: Page) => {
    await page.getByRole('combobox', { name: 'Product' }).fill('tea-');
    await page.getByRole('option', { name: 'Assam · TEA-1' }).click();
    await press(page, 'Add');
  };

  it('it is added once, whatever comes between, also after a reload', async () => {
    const id = await newOrder();
    const { page, open } = await loggedIn();
    const answers = [lost, refusal(409), refusal(429), refusal(503), (route: Route) => route.continue()];
    const keys: (string | undefined)[] = [];
    await page.route('**/api/ScheduledOrderItems', (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      return answers[keys.length - 1]!(route);
    });
    await open(pageOf(id, '?dialog=add-item'));
    await addItem(page);
    await page.getByRole('dialog').getByText('The API did not answer').waitFor();
    // The page behind shows what came of it.
    await page.getByRole('button', { name: 'Change the quantity of Assam' }).waitFor();
    for (let sent = 2; sent <= 4; sent++) {
      await press(page, 'Add');
      await until(() => keys.length === sent);
      await page.getByRole('dialog').getByText('Later.').waitFor();
    }
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(/ScheduledOrder|ProductId/);
    await page.reload();
    await addItem(page);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('Nothing more was done now').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([5, 1]);
    expect((await order(id)).ScheduledOrderItems).toHaveLength(1);

    // Afterwards the same wish is another one.
    answers.push((route) => route.continue());
    await open(pageOf(id, '?dialog=add-item'));
    await addItem(page);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(new Set(keys).size).toBe(2);
    expect((await order(id)).ScheduledOrderItems).toHaveLength(2);
  });

  it('an answer that breaks off is none', async () => {
    const id = await newOrder();
    const { page, open } = await loggedIn();
    await open(pageOf(id, '?dialog=add-item'));
    // The headers come, and the body does not: no server that Playwright can play does that.
    await page.evaluate(`{
      const send = window.fetch;
      window.keys = [];
      window.fetch = async (request) => {
        const answer = await send(request);
        if (request.method !== 'POST') return answer;
        window.keys.push(request.headers.get('idempotency-key'));
        if (window.keys.length > 1) return answer;
        const cut = new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) });
        return new Response(cut, { status: answer.status, headers: answer.headers });
      };
    }`);
    await addItem(page);
    await page.getByRole('dialog').getByText('The API did not answer').waitFor();
    await press(page, 'Add');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate('[window.keys.length, new Set(window.keys).size]')).toEqual([2, 1]);
    expect((await order(id)).ScheduledOrderItems).toHaveLength(1);
  });
});

describe('What a colleague changes meanwhile', () => {
  it('is not overwritten by what was typed over an older version; opened again, it goes on from there', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn();
    await open(pageOf(id, '?tab=settings&dialog=address'));
    await page.getByLabel('City').fill('Leeds');
    for (const city of ['Paris', 'Lyon']) {
      await call('PUT', `ScheduledOrders/${id}`, { ShippingCity: city });
      // The first time the page behind is read again before, the second time only the refusal tells it.
      if (city === 'Paris') await readAgain(page, [/\/ScheduledOrders\/\d+$/]);
      await press(page, 'Save');
      await page.getByText('Close this and open it again').waitFor();
      expect((await order(id)).ShippingCity).toBe(city);
      await page.getByRole('definition').or(page.getByText(city)).filter({ hasText: city }).first().waitFor();
      await press(page, 'Cancel');
      await press(page, 'Discard it');
      await press(page, 'Change the address');
      expect(await page.getByLabel('City').inputValue()).toBe(city);
      await page.getByLabel('City').fill('Leeds');
    }
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await order(id)).ShippingCity).toBe('Leeds');
    expect(faults).toEqual([]);
  });

  it('stays where only other fields were changed here: of a person, an endpoint and a rate', async () => {
    const { siteId } = account;
    const { page, open, faults } = await loggedIn();
    await open(`s/${siteId}/customers/${customerId}?dialog=person`);
    await page.getByLabel('First name').fill('Augusta');
    await call('PUT', `Customers/${customerId}`, { LastName: 'King' });
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await call('GET', `Customers/${customerId}`)).toMatchObject({ FirstName: 'Augusta', LastName: 'King' });

    const endpoint = await call<{ Id: number }>('POST', 'WebhookEndpoints', {
      SiteId: siteId,
      Url: 'https://shop.example/hooks',
      EventTypes: [],
    });
    await open(`s/${siteId}/webhooks?endpoint=${endpoint.Id}&dialog=change`);
    await page.getByLabel('Name', { exact: true }).fill('Warehouse');
    await call('PUT', `WebhookEndpoint/${endpoint.Id}`, { RatePerSecond: 3 });
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await call('GET', `WebhookEndpoint/${endpoint.Id}`)).toMatchObject({
      Description: 'Warehouse',
      RatePerSecond: 3,
    });

    const rateId = await given.taxRate(siteId, { name: 'VAT', country: 'DE', rate: '19' });
    await open(`s/${siteId}/rates?rate=${rateId}`);
    await page.getByLabel('Name', { exact: true }).fill('MwSt');
    await call('PUT', `TaxRate/${rateId}`, { Rate: 16 });
    await call('PUT', `TaxRate/${rateId}/Terms`, { Priority: 7 });
    await press(page, 'Save');
    await page.getByRole('link', { name: 'MwSt', exact: true }).waitFor();
    expect(await call('GET', `TaxRate/${rateId}`)).toMatchObject({ Name: 'MwSt', Rate: 16 });
    expect(await call('GET', `TaxRate/${rateId}/Terms`)).toMatchObject({ Priority: 7 });
    expect(faults).toEqual([]);
  });

  it('is not skipped on top: the dialog says so, and opened again it is about what is there now', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn();
    await open(pageOf(id, '?dialog=skip'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Skip it' }).waitFor();
    await call('POST', `ScheduledOrders/${id}/Skip`, { ExpectedNextOccurrenceUtc: OCCURRENCE });
    const { NextOccurrenceUtc: next } = await order(id);
    await press(page, 'Skip it');
    await dialog.getByText('Close this and open it again').waitFor();
    await page.getByRole('region', { name: 'Next' }).getByText('1 Apr 2027, 10:00 UTC').waitFor();
    expect((await order(id)).NextOccurrenceUtc).toBe(next);
    await press(page, 'Cancel');
    await press(page, 'Skip the next one');
    await press(page, 'Skip it');
    await dialog.waitFor({ state: 'hidden' });
    expect((await order(id)).NextOccurrenceUtc).toBe('2027-05-01T10:00:30.000Z');
    expect(faults).toEqual([]);
  });

  it('is not moved in its place: another next occurrence is told, and the order stays', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn();
    await open(pageOf(id, '?dialog=reschedule'));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing is changed.').waitFor();
    await page.getByLabel('Next occurrence, in UTC').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Next occurrence, in UTC').fill('2027-03-01T12:00');
    expect((await order(id)).NextOccurrenceUtc).toBe(OCCURRENCE);

    const next = '2027-04-01T10:00:30.000Z';
    await call('PUT', `ScheduledOrders/${id}/NextOccurrenceUtc`, { NextOccurrenceUtc: next });
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    const message = `The next occurrence is ${next}, not the one that was expected`;
    await dialog.getByText(message).waitFor();
    expect((await order(id)).NextOccurrenceUtc).toBe(next);
    await press(page, 'Cancel');
    await press(page, 'Discard it');
    await open(pageOf(id, '?dialog=reschedule'));
    await page.getByLabel('Next occurrence, in UTC').fill('2027-04-02T12:00');
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await order(id)).NextOccurrenceUtc).toBe('2027-04-02T12:00:00.000Z');
    expect(faults).toEqual([]);
  });

  it('is not moved where a worker has just taken it up, and then moves the one after it, not to before its date', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn();
    const dialog = page.getByRole('dialog');
    const at = page.getByLabel('Next occurrence, in UTC');
    await open(pageOf(id, '?dialog=reschedule'));
    await at.fill('2027-02-01T12:00');
    await given.insert('processing_cycles', {
      ...{ siteId: account.siteId, scheduledOrderId: id, cycle: 1, state: 'Charging', open: true, attempt: 1 },
      ...{ dueUtc: OCCURRENCE, startedUtc: new Date(), worker: 'w', claim: 1, leaseUntilUtc: '2040-01-01T00:00:00Z' },
    });
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.getByText('The occurrence of 2027-03-01 10:00 UTC is in progress.').first().waitFor();
    await dialog.getByText('Close this and open it again').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, 'Cancel');
    await press(page, 'Discard it');

    await open(pageOf(id, '?dialog=reschedule'));
    await dialog.getByText('is in progress: the one after it moves').waitFor();
    await at.fill('2027-03-20T12:00');
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.getByText('to the earlier 2027-03-20T12:00:00.000Z').waitFor();
    expect((await order(id)).NextOccurrenceUtc).toBe(OCCURRENCE);
    await at.fill('2027-04-20T12:00');
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await order(id)).NextOccurrenceUtc).toBe('2027-04-20T12:00:00.000Z');
    expect(faults).toEqual([]);
  });
});

describe('What is typed', () => {
  it('in a dialog is not dropped by a click beside it, and only after a question by Escape, Cancel and Back', async () => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn();
    await open(pageOf(id, '?tab=settings'));
    await press(page, 'Change the address');
    await page.getByLabel('City').fill('Leeds');
    await page.mouse.click(5, 500);
    expect(await page.getByText('Close without saving?').count()).toBe(0);
    const leave = [() => page.keyboard.press('Escape'), () => press(page, 'Cancel'), () => page.goBack()];
    for (const step of leave) {
      await step();
      await page.getByText('Close without saving?').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await press(page, 'Keep editing');
      expect(await page.getByLabel('City').inputValue()).toBe('Leeds');
    }
    await page.getByLabel('City').fill('London');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await press(page, 'Change the address');
    await page.getByLabel('City').fill('Leeds');
    await page.goBack();
    await press(page, 'Discard it');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?tab=settings');
    expect((await order(id)).ShippingCity).toBe('London');
    expect(faults).toEqual([]);
  });

  it.each([
    ['shop', 'Name', 'Shop'],
    ['products', 'Price', 'Assam'],
    ['rates', 'Percent', 'Rates'],
  ])('on a page is dropped only after a question: %s', async (path, label, title) => {
    const { page, open, faults } = await loggedIn();
    const search = { shop: '?tab=settings', products: `?product=${productId}`, rates: '?rate=new' }[path];
    await open(`s/${account.siteId}/${path}${search}`);
    await page.getByLabel(label, { exact: true }).first().fill('77');
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await press(page, 'Cancel');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    expect(await page.getByLabel(label, { exact: true }).first().inputValue()).toBe('77');
    let isAsked = false;
    page.on('dialog', (shown) => {
      isAsked = shown.type() === 'beforeunload';
      void shown.dismiss();
    });
    await page.evaluate('setTimeout(() => location.reload())');
    await until(() => isAsked);
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await press(page, 'Leave');
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('When the session has ended', () => {
  it.each(['Save is pressed', 'the page is looked at again'])('and %s, it goes on after a log-in', async (how) => {
    const id = await newOrder();
    const { page, open, faults } = await loggedIn();
    await open(pageOf(id, '?tab=settings&dialog=address'));
    await page.getByLabel('City').fill('Leeds');
    await page.waitForLoadState('networkidle');
    await endSession(page);
    if (how === 'Save is pressed') await press(page, 'Save');
    else await readAgain(page, [/\/ScheduledOrders\/\d+$/]);
    const again = page.getByRole('dialog', { name: 'Log in to go on' });
    await again.getByText(account.email).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await press(page, 'Log in');
    await again.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await press(page, 'Log in');
    await again.waitFor({ state: 'hidden' });
    expect(await page.getByText('Close without saving?').count()).toBe(0);
    expect(await page.getByLabel('City').inputValue()).toBe('Leeds');
    expect((await order(id)).ShippingCity).toBe('London');
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await order(id)).ShippingCity).toBe('Leeds');
    expect(faults).toEqual([]);
  });

  it('one may leave, and nothing of it stays', async () => {
    const id = await newOrder();
    const { page, open, logIn, faults } = await loggedIn();
    await open(pageOf(id, '?tab=settings&dialog=address'));
    await page.getByLabel('City').fill('Leeds');
    await endSession(page);
    await press(page, 'Save');
    await press(page, 'Leave the page');
    await page.getByText('Log in to go on where you were.').waitFor();
    expect(await page.content()).not.toContain('Leeds');
    await logIn(account);
    await page.getByRole('dialog', { name: 'Delivery address' }).waitFor();
    expect(await page.getByLabel('City').inputValue()).toBe('London');
    expect(faults).toEqual([]);
  });
});
