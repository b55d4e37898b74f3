import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { FEW_CASES } from '../support/all-cases.js';
import { accessibilityFaults, LOOKS, picture, useConsole } from './console.js';

/** The API of the build, and a browser; nobody logs in. */
const site = useConsole();
const FOLDER = resolve('dist/docs');
const ROOT = '/docs/guides/';

beforeAll(() => {
  if (!existsSync(join(FOLDER, 'index.html'))) throw new Error('There is no dist/docs: run npm run docs.');
});

/** The addresses of all pages below /docs/guides/. */
const pages = (folder = FOLDER, before = ''): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return entry.name === 'assets' ? [] : pages(join(folder, entry.name), `${before}${entry.name}/`);
    const name = /^(?!404)(.+)\.html$/.exec(entry.name)?.[1];
    return name === undefined ? [] : [before + (name === 'index' ? '' : name)];
  });

async function open(page: Page, name: string): Promise<void> {
  await page.goto(site.url + ROOT + name);
  await page.locator('h1').first().waitFor();
  // What a script adds to the page as it was built.
  await page.waitForLoadState('networkidle');
}

const isWiderThanItsWindow = 'document.documentElement.scrollWidth > window.innerWidth';

it('every page answers with its policy, and every link of every page leads somewhere', async () => {
  const linked = new Map<string, string>();
  const anchors = new Map<string, Set<string>>();
  for (const name of pages()) {
    const answer = await fetch(site.url + ROOT + name);
    const text = await answer.text();
    expect([name, answer.status]).toEqual([name, 200]);
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^']+' 'sha256-[^']+';/);
    anchors.set(ROOT + name, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
    for (const [, target] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(target!, site.url + ROOT + name);
      if (origin === site.url) linked.set(pathname + hash, name);
    }
  }
  expect(anchors.size).toBeGreaterThan(45);
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  for (const [target, name] of linked) {
    const [path, anchor] = target.split('#');
    if (!statuses.has(path!)) statuses.set(path!, (await fetch(site.url + path)).status);
    const ids = anchors.get(path!);
    if (statuses.get(path!) !== 200) faults.push(`${name}: ${target} is answered ${statuses.get(path!)}`);
    else if (anchor !== undefined && ids?.has(decodeURIComponent(anchor)) === false)
      faults.push(`${name}: there is no ${target}`);
  }
  expect(faults).toEqual([]);
});

it('the side bar leads to every page', async () => {
  const text = await (await fetch(`${site.url}${ROOT}quick-start`)).text();
  const linked = new Set([...text.matchAll(/ href="([^"#]+)"/g)].map(([, target]) => target!));
  expect(pages().filter((name) => !linked.has(ROOT + name))).toEqual([]);
});

it('the search finds a word of a guide, and an operation, and leads there', async () => {
  const { page, faults, context } = await site.newPage();
  await open(page, '');
  for (const [words, address, shown] of [
    ['reconciliation', /docs\/guides\/\w/, 'econciliation'],
    ['Passes over', /docs\/guides\/reference\/scheduled-orders#skipscheduledorder/, '/Skip'],
  ] as const) {
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('input.search-input').fill(words);
    await page.locator('.results .result').first().waitFor();
    await picture(page, `docs-site-search-${words.split(' ')[0]!.toLowerCase()}`);
    await page.locator('.results .result').first().click();
    await page.waitForURL(address);
    expect(await page.locator('main').innerText()).toContain(shown);
  }
  expect(faults).toEqual([]);
  await context.close();
});

const FEW_PAGES = ['', 'settings', 'reference/operations'];
const LOOKED_AT = [
  ...FEW_PAGES,
  'concepts',
  'connect-a-shop',
  'processing',
  'going-live',
  'reference/scheduled-orders',
];

it.each(FEW_CASES ? FEW_PAGES : LOOKED_AT)('page %j looks good in light and dark, narrow and wide', async (name) => {
  for (const [scheme, widths] of LOOKS) {
    const { page, faults, context } = await site.newPage({ scheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 1000 });
      await open(page, name);
      await picture(page, `docs-site-${name.replaceAll('/', '-') || 'home'}-${scheme}-${width}`);
      const where = `${name} ${scheme} ${width}`;
      expect([where, await accessibilityFaults(page)]).toEqual([where, []]);
      expect([where, await page.evaluate<boolean>(isWiderThanItsWindow)]).toEqual([where, false]);
    }
    expect(faults).toEqual([]);
    await context.close();
  }
});

it('no page has a fault in a browser: no violation of its policy, no error, no other host', async () => {
  const { page, faults, context } = await site.newPage({ width: 1440 });
  for (const name of pages()) await open(page, name);
  expect(faults).toEqual([]);
  await context.close();
});

it('plain pages of the API lead to those of the site, with their anchor', async () => {
  const { page, context } = await site.newPage();
  await page.goto(`${site.url}/docs/errors#conflict`);
  expect(page.url()).toBe(`${site.url}${ROOT}errors#conflict`);
  await page.goto(`${site.url}/docs/README`);
  expect(page.url()).toBe(`${site.url}${ROOT}quick-start`);
  const missing = await page.goto(`${site.url}${ROOT}none`);
  expect(missing!.status()).toBe(404);
  // A script writes this page.
  await page.getByText('404').first().waitFor();
  await context.close();
});
