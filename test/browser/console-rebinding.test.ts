import type { Browser, Page } from 'playwright-core';
import { type Account, useConsole } from './console.js';
import { launchBrowser } from './launch-browser.js';

/** As `npm start` has it. */
const tested = useConsole({ env: { ALLOWED_HOSTS: '127.0.0.1' } });

let browser: Browser;
let account: Account;

beforeAll(async () => {
  account = await tested.account();
  // What the DNS server of an attacker does, once the browser has the attacker's page.
  browser = await launchBrowser(['--host-resolver-rules=MAP evil.example 127.0.0.1']);
});
afterAll(() => browser?.close());

/** A page under this name and the API's port: for the browser, the API is a part of it. */
async function pageAt(host: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`http://${host}:${new URL(tested.url).port}/docs/errors`);
  return page;
}

/** What each request of the page was answered. */
async function tries(page: Page): Promise<unknown> {
  const login = { Email: account.email, Password: account.password };
  return page.evaluate(`(async () => {
    const login = ${JSON.stringify(login)};
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'console' };
    const post = (path, body, more) => fetch(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
    const answers = [
      await fetch('/console/', { headers: { accept: 'text/html' } }),
      await fetch('/docs/errors'),
      await post('/api/AccessTokens/Login', { ...login, AccessScope: 'Merchant' }, { authorization: 'Basic junk' }),
      await post('/api/Sessions', login),
      await fetch('/api/Sites', { headers }),
    ];
    return answers.map(({ status }) => status);
  })()`);
}

it('a page whose name leads to the API reaches nothing, and one of this machine does', async () => {
  expect(await tries(await pageAt('evil.example'))).toEqual([421, 421, 421, 421, 421]);
  expect(await tries(await pageAt('127.0.0.1'))).toEqual([200, 200, 200, 201, 200]);
});
