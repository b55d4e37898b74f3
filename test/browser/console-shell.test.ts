import { until } from '../support/until.js';
import { accessibilityFaults, type Account, expectGoodLooks, useConsole } from './console.js';

const tested = useConsole();
const shopNames = { name: 'Coffee Shop', currencyIso: 'EUR' };
let account: Account;

beforeAll(async () => {
  account = await tested.account(shopNames);
});

const heading = (name: string) => ({ name, level: 1, exact: true }) as const;

describe('Logging in', () => {
  it('leads to Today of the first shop; logging out leads back, and ends the session', async () => {
    const { page, context, faults, open, logIn } = await tested.newPage();
    await open('');
    expect(new URL(page.url()).pathname).toBe('/console/login');
    expect(await page.title()).toBe('Log in · Scheduled Orders');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('');
    await logIn(account);
    await page.getByRole('heading', heading('Today')).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/s/${account.siteId}/today`);
    expect(await page.title()).toBe('Today · Scheduled Orders');

    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(kept).not.toContain(cookie!.value);

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    const answer = await page.request.get(`${tested.url}/api/Sites`, { headers: { 'X-Requested-With': 'console' } });
    expect(answer.status()).toBe(401);
    await page.goBack();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('says what is wrong, and where', async () => {
    const { page, open, logIn, faults } = await tested.newPage();
    await open('login');
    await logIn({ ...account, password: 'wrong' });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/password/i);
    await page.getByLabel('E-mail address').fill(`${'a'.repeat(300)}@shop.example`);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('255').waitFor();
    expect(await page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    expect(faults).toEqual([]);
  });

  it('leads to the page that was asked for, with all that its address says', async () => {
    const { page, open, logIn, faults } = await tested.newPage();
    const address = `s/${account.siteId}/scheduled-orders?q=ada&status=Paused`;
    await open(address);
    await page.getByText('Log in to go on where you were.').waitFor();
    await logIn(account);
    await page.getByRole('heading', heading('Scheduled orders')).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`/console/${address}`);
    expect(faults).toEqual([]);
  });

  it('leads never to another host, whatever the address says', async () => {
    for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
      const { page, open, logIn, context, faults } = await tested.newPage();
      await open(`login?to=${encodeURIComponent(elsewhere)}`);
      await logIn(account);
      await page.getByRole('heading', heading('Today')).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});

it('a session that ends leads to the log-in page, and after it back to the same page', async () => {
  const { page, context, open, logIn, faults } = await tested.loggedIn(account);
  await open(`s/${account.siteId}/webhooks`);
  await context.clearCookies();
  await page.reload();
  await logIn(account);
  await page.getByRole('heading', heading('Webhooks')).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/s/${account.siteId}/webhooks`);
  expect(faults).toEqual([]);
});

describe('Another account', () => {
  it('that logs in after a session has ended sees nothing of the one before, not even for a moment', async () => {
    const other = await tested.account({ name: 'Tea Shop' });
    const { page, context, open, logIn, faults } = await tested.loggedIn(account);
    await open(`s/${account.siteId}/today`);
    await page.getByRole('heading', { name: 'Charged today' }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    let go = () => {};
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/api/Sites', async (route) => {
      await mayGo;
      await route.continue();
    });
    const request = page.waitForRequest('**/api/Sites');
    await logIn(other);
    await request;
    await page.waitForTimeout(300);
    expect(await page.content()).not.toContain('Coffee Shop');
    go();
    await page.getByRole('heading', heading('No such page')).waitFor();
    expect(await page.content()).not.toContain('Coffee Shop');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('that logs in in another tab takes the first one with it, when that is looked at again', async () => {
    const other = await tested.account({ name: 'Tea Shop' });
    const { page, context, open, faults } = await tested.loggedIn(account);
    await open(`s/${account.siteId}/today`);
    await page.getByRole('button', { name: 'Shop: Coffee Shop' }).waitFor();
    await page.waitForLoadState('networkidle');
    const focus = () => page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    // The same account's return changes nothing.
    const answered = page.waitForResponse('**/api/Session');
    await focus();
    await answered;
    await page.waitForTimeout(200);
    expect(await page.getByRole('button', { name: 'Shop: Coffee Shop' }).count()).toBe(1);

    const login = await page.request.post(`${tested.url}/api/Sessions`, {
      headers: { 'X-Requested-With': 'console' },
      data: { Email: other.email, Password: other.password },
    });
    expect(login.status()).toBe(201);
    await focus();
    await page.getByRole('heading', heading('No such page')).waitFor();
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await page.getByRole('button', { name: 'Shop: Tea Shop' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

it('a page that nobody uses asks no more after ten minutes, and again with the next movement', async () => {
  const { page, context, open, faults } = await tested.loggedIn(account);
  await page.clock.install();
  await open(`s/${account.siteId}/operations`);
  let requests = 0;
  let mark: string | undefined;
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/Operations')) return;
    requests++;
    mark = request.headers()['x-session-use'];
  });
  await page.getByText('As of').waitFor();
  /** The page's own timers need a moment of the real time between them. */
  const asksWithin = async (ms: number) => {
    const before = requests;
    await page.clock.runFor(ms);
    await page.waitForTimeout(300);
    return requests > before;
  };
  const move = async () => {
    await page.mouse.move(10, 10);
    await page.mouse.move(20, 20);
    return asksWithin(16_000);
  };
  await until(move);
  expect(mark).toBeUndefined();
  // A minute later it is no use of the session any more.
  await page.clock.fastForward(61_000);
  await until(() => asksWithin(16_000));
  expect(mark).toBe('none');
  await page.clock.fastForward(600_000);
  await until(async () => !(await asksWithin(31_000)));
  requests = 0;
  await page.clock.runFor(120_000);
  await page.waitForTimeout(300);
  expect(requests).toBe(0);
  await until(move);
  expect(mark).toBeUndefined();
  expect(faults).toEqual([]);
  await context.close();
});

describe('The address', () => {
  it('of every page opens it', async () => {
    const { page, open, faults } = await tested.loggedIn(account);
    await open('');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const pages: [name: string, href: string][] = [];
    for (const link of await links.all()) pages.push([await link.innerText(), (await link.getAttribute('href'))!]);
    expect(pages.map(([name]) => name)).toEqual([
      'Today',
      'Calendar',
      'Scheduled orders',
      'Failures',
      'Differences',
      'Forecast',
      'Customers',
      'Products',
      'Rates',
      'Shop',
      'Payments',
      'Webhooks',
      'Keys',
      'Test clocks',
      'Operations',
    ]);
    for (const [name, href] of pages) {
      await open(href.replace('/console/', ''));
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
      expect(await page.getByRole('navigation', { name: 'Pages' }).locator('a[aria-current="page"]').innerText()).toBe(
        name,
      );
      expect(await page.title()).toBe(`${name} · Scheduled Orders`);
    }
    expect(faults).toEqual([]);
  });

  it.each(['s/1x/today', 's/999999999/today', 'nowhere', 's/999999999/customers/1'])(
    'that has nothing (%s) says so, and leads on',
    async (path) => {
      const { page, open, faults } = await tested.loggedIn(account);
      await open(path);
      await page.getByRole('heading', heading('No such page')).waitFor();
      await page.getByRole('link', { name: 'Go to Today' }).click();
      await page.getByRole('heading', heading('Today')).waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('that is none of a page leaves the shell around it', async () => {
    const { page, open, faults } = await tested.loggedIn(account);
    for (const path of ['nowhere', 'customers/abc']) {
      await open(`s/${account.siteId}/${path}`);
      await page.getByRole('heading', heading('No such page')).waitFor();
      expect([path, await page.getByRole('main').count()]).toEqual([path, 1]);
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await page.getByRole('heading', heading('Today')).waitFor();
    expect(faults).toEqual([]);
  });

  it('of another account’s shop shows nothing of it', async () => {
    const other = await tested.account({ name: 'Secret Tea' });
    const { page, open, faults } = await tested.loggedIn(account);
    await open(`s/${other.siteId}/today`);
    await page.getByRole('heading', heading('No such page')).waitFor();
    expect(await page.content()).not.toContain('Secret Tea');
    expect(faults).toEqual([]);
  });
});

describe('The shell', () => {
  it('lets one choose another shop, and says which are simulated', async () => {
    const owner = await tested.account({ name: 'Coffee Shop' });
    const made = await fetch(`${tested.url}/api/TestClocks`, {
      method: 'POST',
      headers: { authorization: `Basic ${owner.tokenAuth}`, 'content-type': 'application/json' },
      body: JSON.stringify({ Name: 'Test Shop', NowUtc: '2026-01-01T00:00:00Z' }),
    });
    const { SiteId } = (await made.json()) as { SiteId: number };
    const { page, open, faults } = await tested.loggedIn(owner);
    await open('');
    await page.getByRole('button', { name: 'Shop: Coffee Shop' }).click();
    const other = page.getByRole('navigation', { name: 'Shops' }).getByRole('link', { name: 'Test Shop' });
    expect(await other.innerText()).toContain('Simulated');
    await other.click();
    await page.getByRole('button', { name: 'Shop: Test Shop' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/s/${SiteId}/today`);
    expect(await page.getByRole('navigation', { name: 'Shops' }).isVisible()).toBe(false);
    expect(await page.getByRole('banner').innerText()).toContain('Simulated');
    expect(faults).toEqual([]);
  });

  it('is dark or light as the system says, and then as it was chosen', async () => {
    const { page, open, faults } = await tested.loggedIn(account, { scheme: 'dark' });
    await open('');
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Use light colours' }).click();
    expect(await scheme()).toBe('light');
    await page.reload();
    await page.getByRole('button', { name: 'Use dark colours' }).waitFor();
    expect(await scheme()).toBe('light');
    expect(faults).toEqual([]);
  });

  it('is used by keyboard: it begins with a link to the content', async () => {
    const { page, open, faults } = await tested.loggedIn(account);
    await open('');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.getByRole('link', { name: 'Customers' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', heading('Customers')).waitFor();
    await page.waitForFunction(`document.activeElement.id === 'content'`);
    expect(faults).toEqual([]);
  });

  it('has its pages behind a button on a telephone', async () => {
    const { page, open, faults } = await tested.loggedIn(account, { width: 360 });
    await open('');
    const pages = page.getByRole('link', { name: 'Customers' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    await pages.click();
    await page.getByRole('heading', heading('Customers')).waitFor();
    await pages.waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });

  it('looks good, light and dark, narrow and wide', async () => {
    await expectGoodLooks(tested, account, 'shell', `s/${account.siteId}/test-clocks`, (page) =>
      page.getByRole('heading', heading('Test clocks')).waitFor(),
    );
  });
});
