import type { Locator, Page } from 'playwright-core';
import { given as givenIn } from '../support/given.js';
import { accessibilityFaults, type Account, expectGoodLooks, useConsole } from './console.js';

const tested = useConsole();
const given = givenIn(tested.database);
let account: Account;
let orderId: number;
let twice: number;
let refunded: number;

beforeAll(async () => {
  account = await tested.account({ name: 'Coffee Shop', currencyIso: 'EUR' });
  const { siteId } = account;
  orderId = await given.scheduledOrder(siteId, await given.customer(siteId, { firstName: 'Ada', lastName: 'Byron' }), {
    frequencyType: 'Months',
    frequency: 1,
    nextOccurrenceUtc: new Date('2040-03-01T10:00:00Z'),
  });
  const paid = { scheduledOrderId: orderId, cycle: 3, paymentMethodType: 'GatewayOne' };
  const ours = { TransactionId: 'pi_first', Amount: 3206, CurrencyIso: 'EUR', OccurrenceUtc: '2026-05-16T10:00:00Z' };
  const theirs = { ...ours, TransactionId: 'pi_second', GatewayCustomerId: 'cus_ada' };
  refunded = await given.difference(siteId, {
    ...{ ...paid, kind: 'RefundUnseen', fact: 'refund', gatewayTransactionId: 'pi_first' },
    ...{ ours, theirs: { ...ours, Refunded: 1000 }, createdUtc: '2026-05-16T10:02:00Z' },
  });
  twice = await given.difference(siteId, {
    ...{ ...paid, kind: 'TwoCharges', fact: 'twice', holds: true, gatewayTransactionId: 'pi_second' },
    ...{ ours, theirs, createdUtc: '2026-05-16T10:12:00Z' },
  });
  await given.difference(siteId, {
    ...{
      kind: 'ChargeWithoutCycle',
      fact: 'lost',
      holds: true,
      scheduledOrderId: null,
      paymentMethodType: 'GatewayTwo',
    },
    ...{ theirs: { TransactionId: '6001', Amount: 1250, CurrencyIso: 'EUR' }, createdUtc: '2026-05-16T10:22:00Z' },
  });
});

const at = (path: string) => `s/${account.siteId}/${path}`;
const article = (page: Page, name: RegExp) => page.getByRole('article', { name });
const rowsOf = (page: Page, id: number) =>
  page
    .getByRole('region', { name: `Both sides of difference ${id}` })
    .getByRole('row')
    .allInnerTexts();

/** What the API has, as a program asks for it. */
async function differences(state: string) {
  const answer = await fetch(`${tested.url}/api/Site/${account.siteId}/Differences?State=${state}`, {
    headers: { authorization: `Basic ${account.tokenAuth}` },
  });
  return (await answer.json()) as { Id: number; As: string | null; Note: string | null }[];
}

const dialogOf = (page: Page, id: number) => page.getByRole('dialog', { name: `Settle difference ${id}` });

interface Look {
  readonly name: string;
  readonly path: () => string;
  readonly shown: (page: Page) => Locator;
}

it.each<Look>([
  { name: 'differences', path: () => 'differences', shown: (page) => article(page, /Charged twice/) },
  {
    name: 'differences-settle',
    path: () => `differences?settle=${twice}`,
    shown: (page) => dialogOf(page, twice),
  },
  {
    name: 'differences-none',
    path: () => 'differences?state=Settled',
    shown: (page) => page.getByText('Nothing was settled yet'),
  },
  {
    name: 'order-held',
    path: () => `scheduled-orders/${orderId}`,
    shown: (page) => page.getByRole('region', { name: /not as the gateway has it/ }),
  },
])('$name looks good, light and dark, narrow and wide', async ({ name, path, shown }) => {
  await expectGoodLooks(tested, account, name, at(path()), (page) => shown(page).waitFor());
});

it('leads from Today to both sides of each, and settles one with a note', async () => {
  const { page, open, faults } = await tested.loggedIn(account);
  await open(at('today'));
  const tile = page.getByRole('link', { name: /Payments differ/ });
  expect(await tile.innerText()).toMatch(/\b3\b/);
  await tile.click();
  await article(page, /Charged twice/).waitFor();
  expect(await rowsOf(page, twice)).toEqual([
    'What\tHere\tAt the gateway',
    'Amount\t32.06 EUR\t32.06 EUR',
    'Currency\tEUR\tEUR',
    'Occurrence\t16 May 2026, 10:00 UTC\t16 May 2026, 10:00 UTC',
    'Transaction\tpi_first\tpi_second',
    'Customer at the gateway\t–\tcus_ada',
  ]);
  expect(await rowsOf(page, refunded)).toContain('Refunded\t–\t10.00 EUR');
  expect(await article(page, /A charge too many/).innerText()).toContain('nothing');
  const settle = page.getByRole('link', { name: `Settle difference ${twice}` });
  await settle.click();
  const dialog = dialogOf(page, twice);
  await dialog.getByText('Choose one.').waitFor();
  expect(await dialog.innerText()).toContain(`When nothing else holds order ${orderId}, it is charged again.`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('radio', { name: /^Resolved/ }).check();
  const note = dialog.getByRole('textbox', { name: 'Note' });
  await note.fill('x'.repeat(1001));
  await dialog.getByRole('button', { name: 'Settle' }).click();
  await dialog.getByText('Correct the fields that are marked').waitFor();
  await note.fill('Refunded by hand.');
  await dialog.getByRole('button', { name: 'Settle' }).click();
  await dialog.waitFor({ state: 'detached' });
  await article(page, /Charged twice/).waitFor({ state: 'detached' });
  expect(await differences('Settled')).toMatchObject([{ Id: twice, As: 'Resolved', Note: 'Refunded by hand.' }]);
  await page.getByText('Settled', { exact: true }).click();
  await article(page, /Charged twice/).waitFor();
  expect(await article(page, /Charged twice/).innerText()).toMatch(/Resolved by .*: Refunded by hand\./);
  await page.getByRole('link', { name: `Charged twice: order ${orderId}` }).click();
  await page.getByRole('heading', { level: 1, name: String(orderId) }).waitFor();
  expect(faults).toEqual([]);
});

it('says so where somebody else was faster', async () => {
  const { page, open, faults } = await tested.loggedIn(account);
  await open(at(`differences?settle=${refunded}`));
  const dialog = dialogOf(page, refunded);
  await dialog.getByRole('radio', { name: /^Accepted/ }).check();
  await tested.database.query(
    `UPDATE payment_differences SET state = 'Settled', settled_as = 'Accepted', settled_utc = now(), settled_by = 'a command' WHERE id = $1`,
    [refunded],
  );
  await dialog.getByRole('button', { name: 'Settle' }).click();
  await page.getByText(`Difference ${refunded} is settled already.`).waitFor();
  expect(faults).toEqual([]);
});
