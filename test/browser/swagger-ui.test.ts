import { mkdirSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { hashPassword } from '#libs/records';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { launchBrowser } from './launch-browser.js';

/** What the page looked like; for whoever wants to see it. */
const PICTURES = 'reports/browser';

const database = useDatabase();
const given = givenIn(database);
let browser: Browser;
let url: string;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  url = await startApi({ DATABASE_URL: database.url }).url();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  endApis();
});

/** Swagger UI, and whatever goes wrong in it. */
async function openDocs(width = 1280): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 1000 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`);
  });
  await page.goto(url);
  await page.locator('.opblock').first().waitFor();
  return { page, faults };
}

async function operation(page: Page, id: string): Promise<Locator> {
  // Of so many operations the page draws those that are in view.
  await page.locator('.operation-filter-input').fill(id);
  const block = page.locator(`[id$="-${id}"].opblock`).first();
  await block.locator('.opblock-summary-control').click();
  await block.locator('button.execute').waitFor();
  return block;
}

async function execute(block: Locator): Promise<{ status: string; body: string }> {
  // An earlier answer stays until the next one comes.
  const clear = block.locator('button.btn-clear');
  if ((await clear.count()) > 0) await clear.click();
  await block.locator('button.execute').click();
  const answer = block.locator('.live-responses-table .response');
  await answer.waitFor();
  return {
    status: (await answer.locator('.response-col_status').innerText()).trim(),
    body: await answer.locator('.response-col_description pre').first().innerText(),
  };
}

it('Swagger UI shows every operation, lets a merchant in, and carries out a request', async () => {
  const login = { Email: 'merchant@shop.example', Password: 'correct horse battery staple', AccessScope: 'Merchant' };
  const userId = await given.user({ email: login.Email, passwordHash: await hashPassword(login.Password) });
  await given.customer(await given.site(userId), { email: 'ada@mail.example' });
  const { page, faults } = await openDocs();
  expect([new URL(page.url()).pathname, await page.title()]).toEqual(['/docs', 'Scheduled Orders']);
  await page.screenshot({ path: `${PICTURES}/docs.png` });

  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, object>;
    webhooks: Record<string, object>;
  };
  const described = { ...document.paths, ...document.webhooks };
  const operations = Object.values(described).flatMap((item) => Object.keys(item));
  const shown = new Set<string>();
  const isAtEnd = () => page.evaluate('scrollBy(0, 500), scrollY + innerHeight >= document.body.scrollHeight - 1');
  for (let ends = 0; ends < 3; ends += Number(await isAtEnd())) {
    for (const id of await page.locator('.opblock-summary-operation-id').allInnerTexts()) shown.add(id);
    await page.waitForTimeout(50);
  }
  expect(shown.size).toBe(operations.length);

  const loggingIn = await operation(page, 'login');
  await loggingIn.locator('textarea.body-param__text').fill(JSON.stringify(login));
  const token = await execute(loggingIn);
  expect(token.status).toBe('200');
  const { TokenAuth } = JSON.parse(token.body) as { TokenAuth: string };

  const listing = await operation(page, 'listCustomers');
  expect(await execute(listing)).toMatchObject({ status: '401' });
  // The browser says so as well; nothing else may have gone wrong.
  expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);

  await page.locator('button.authorize').first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input[type="text"]').first().fill(TokenAuth);
  await page.screenshot({ path: `${PICTURES}/authorize.png` });
  await dialog.locator('button.authorize[type="submit"]').first().click();
  await dialog.locator('button.btn-done').first().click();

  const { status, body } = await execute(listing);
  expect([status, JSON.parse(body)]).toMatchObject(['200', [{ Email: 'ada@mail.example' }]]);
  await listing.scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${PICTURES}/executed.png` });
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  );
  expect(kept).not.toContain(TokenAuth);
  expect(faults).toEqual([]);
});

it('finds operations by words of their path, name and description', async () => {
  const { page, faults } = await openDocs();
  const shown = () => page.locator('.opblock-summary-operation-id').allInnerTexts();
  const search = page.getByRole('searchbox', { name: 'Search operations' });
  await search.fill('passes OVER charging');
  await page.locator('.opblock').nth(1).waitFor({ state: 'detached' });
  expect(await shown()).toEqual(['skipScheduledOrder']);
  await page.screenshot({ path: `${PICTURES}/search.png` });
  await search.fill('webhooks onScheduledOrderPaymentFAILED');
  await page.locator('#operations-webhooks-onScheduledOrderPaymentFailed').waitFor();
  expect(await shown()).toEqual(['onScheduledOrderPaymentFailed']);
  await search.fill('');
  await page.locator('.opblock').nth(30).waitFor();
  expect(faults).toEqual([]);
});

it('shows an error in a sentence, an answer with its example, and the guides', async () => {
  const { page, faults } = await openDocs();
  const block = await operation(page, 'listCycles');
  expect(await block.locator('tr[data-param-name="scheduledOrderId"] input').inputValue()).toBe('1');
  const row = (status: string) => block.locator(`.response[data-code="${status}"]`);
  expect(await row('200').locator('.model-example').isVisible()).toBe(true);
  expect(await row('404').locator('.model-example').isVisible()).toBe(false);
  expect(await row('404').innerText()).toContain('There is no such record');
  await row('404').scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${PICTURES}/errors.png` });
  const guides = await page.getByRole('link', { name: 'After a charge' }).first().getAttribute('href');
  await page.goto(new URL(guides!, page.url()).href);
  // Where the docs site is built, it is one of its pages.
  expect(new URL(page.url()).pathname).toMatch(/^\/docs\/(guides\/)?after-a-charge$/);
  expect(await page.title()).toContain('After a charge');
  await page.screenshot({ path: `${PICTURES}/guides.png` });
  expect(faults).toEqual([]);
});

it('fits a telephone', async () => {
  const { page } = await openDocs(390);
  await page.screenshot({ path: `${PICTURES}/telephone.png` });
  const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  expect(isWider).toBe(false);
});
