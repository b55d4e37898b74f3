import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hashPassword } from '#libs/records';
import { FEW_CASES } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { type TestDatabase, useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { machine } from '../support/machine.js';
import { until } from '../support/until.js';
import { launchBrowser } from './launch-browser.js';

/** What each page looked like; for whoever wants to see it. */
const PICTURES = 'reports/browser';
const DIST = join(__dirname, '../../dist');

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1440] as const;
/** Themes and the widths that a page is looked at with. CI looks at half of them. */
export const LOOKS = FEW_CASES
  ? ([
      ['light', [1440]],
      ['dark', [360]],
    ] as const)
  : SCHEMES.map((scheme) => [scheme, WIDTHS] as const);
export type Scheme = (typeof SCHEMES)[number];

const PASSWORD = 'correct horse battery staple';
let passwordHash: Promise<string> | undefined;

/** An account that people can log in to. */
export interface Account {
  readonly email: string;
  readonly password: string;
  readonly userId: number;
  readonly siteId: number;
  /** For the API: goes behind `Authorization: Basic`. */
  readonly tokenAuth: string;
}

/** A page of the console, and whatever went wrong in it. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the policy, errors of the page, requests to other hosts. Take out what a test expects. */
  readonly faults: string[];
  /** Opens an address below /console/, and waits until its heading is there. */
  readonly open: (path: string) => Promise<void>;
  /** Fills in the log-in page. */
  readonly logIn: (account: Account) => Promise<void>;
}

interface OpenOptions {
  readonly width?: number;
  readonly scheme?: Scheme;
}

export interface Console {
  readonly database: TestDatabase;
  /** Of the API. */
  readonly url: string;
  account(values?: Record<string, unknown>): Promise<Account>;
  /** A browser of its own: nobody is logged in. */
  newPage(options?: OpenOptions): Promise<ConsolePage>;
  /** The same, logged in. */
  loggedIn(account: Account, options?: OpenOptions): Promise<ConsolePage>;
}

interface ConsoleOptions {
  readonly withWorker?: boolean;
  /** More settings of both processes. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A real API (and, where a test wants it, a real worker) of the build in dist/, and a real browser.
 * Its fields are filled in before the first test.
 */
export function useConsole({ withWorker = false, env = {} }: ConsoleOptions = {}): Console {
  const database = useDatabase();
  const given = givenIn(database);
  let browser: Browser;
  let worker: ChildProcess | undefined;
  let url = '';

  beforeAll(async () => {
    if (!existsSync(join(DIST, 'console/index.html'))) throw new Error('There is no dist/console: run npm run build.');
    mkdirSync(PICTURES, { recursive: true });
    url = await startApi({ DATABASE_URL: database.url, ...env }).url();
    if (withWorker) worker = startWorkerOf(database, env);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    worker?.kill('SIGKILL');
    endApis();
  });

  async function account(values: Record<string, unknown> = {}): Promise<Account> {
    passwordHash ??= hashPassword(PASSWORD);
    const email = `merchant-${randomUUID()}@shop.example`;
    const userId = await given.user({ email, passwordHash: await passwordHash });
    const siteId = await given.site(userId, values);
    return { email, password: PASSWORD, userId, siteId, tokenAuth: await given.token(userId) };
  }

  async function newPage({ width = 1440, scheme = 'light' }: OpenOptions = {}): Promise<ConsolePage> {
    const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme: scheme });
    // Waits end when what they wait for is there; a busy machine takes long for it.
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const faults: string[] = [];
    await collectFaults(page, url, faults);
    return {
      page,
      context,
      faults,
      async open(path) {
        await page.goto(`${url}/console/${path}`);
        await page.locator('h1').first().waitFor();
      },
      async logIn({ email, password }) {
        await page.getByLabel('E-mail address').fill(email);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.getByRole('button', { name: 'Log in' }).click();
      },
    };
  }

  async function loggedIn(account: Account, options: OpenOptions = {}): Promise<ConsolePage> {
    const opened = await newPage(options);
    const answer = await opened.page.request.post(`${url}/api/Sessions`, {
      headers: { 'X-Requested-With': 'console' },
      data: { Email: account.email, Password: account.password },
    });
    if (!answer.ok()) throw new Error(`POST /api/Sessions was answered ${answer.status()}: ${await answer.text()}`);
    return opened;
  }

  return {
    database,
    account,
    newPage,
    loggedIn,
    get url() {
      return url;
    },
  };
}

function startWorkerOf({ url }: TestDatabase, env: Readonly<Record<string, string>>): ChildProcess {
  return fork(join(DIST, 'apps/worker/src/main.js'), [], {
    env: {
      ...machine(),
      DATABASE_URL: url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      HOST: '127.0.0.1',
      WORKER_PORT: '0',
      PROCESSOR_CRON: '* * * * * *',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: 'ignore',
  });
}

/** A policy's violation is an event of the document, which a listener from before its first script hears. */
async function collectFaults(page: Page, url: string, faults: string[]): Promise<void> {
  await page.exposeFunction('reportViolation', (words: string) => faults.push(words));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    reportViolation(['violates', violatedDirective, blockedURI, sourceFile].join(' ')))`);
  page.on('pageerror', (error) => faults.push(`throws ${error.message}`));
  page.on('console', (message) => {
    // An answer with an error is part of many stories; what a page makes of it is tested.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(`writes ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`);
  });
}

/**
 * As when somebody comes back to the window after some time, until all these addresses were read; as often as it takes,
 * for what is being read at that moment is not read again.
 */
export async function readAgain(page: Page, urls: readonly RegExp[]): Promise<void> {
  let isRead = false;
  const answers = Promise.all(urls.map((url) => page.waitForResponse(url))).then(() => (isRead = true));
  let later = Date.now();
  await until(async () => {
    later += 60_000;
    await page.clock.setFixedTime(later);
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await Promise.race([answers, pause(1_000)]);
    return isRead;
  });
  await page.evaluate(`new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))`);
}

interface AxeViolation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** What axe-core finds on the page as it is now, one text each; WCAG 2.2 A and AA, and its best practices. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // By evaluate, which the page's policy does not bind.
  await page.evaluate(axe.source);
  const violations = await page.evaluate<AxeViolation[]>(
    // Off unless asked for: targets of 24 by 24 pixels, or with as much room around them.
    `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

export const picture = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: `${PICTURES}/${name}.png`, animations: 'disabled' });

const isWiderThanItsWindow = 'document.documentElement.scrollWidth > window.innerWidth';

/**
 * One page in all of `LOOKS`: a picture of each in reports/browser, nothing that axe finds, nothing wider than the
 * window, no fault.
 * @param ready waits until the page shows what it is about.
 */
export async function expectGoodLooks(
  tested: Console,
  account: Account,
  name: string,
  path: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  for (const [scheme, widths] of LOOKS) {
    const opened = await tested.loggedIn(account, { scheme });
    const { page, faults } = opened;
    await opened.open(path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 1000 });
      await ready(page);
      await picture(page, `${name}-${scheme}-${width}`);
      const where = `${name} ${scheme} ${width}`;
      expect([where, await accessibilityFaults(page)]).toEqual([where, []]);
      expect([where, await page.evaluate<boolean>(isWiderThanItsWindow)]).toEqual([where, false]);
    }
    expect(faults).toEqual([]);
    await opened.context.close();
  }
}
