import type { Locator, Page } from 'playwright-core';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../../apps/cli/src/demo/demo-account.js';
import { makeDemoYear } from '../support/shops/demo.js';
import type { Account, Console } from './console.js';

/** The demo's simulated shop after its year: more than 100 scheduled orders, and some of each trouble. */
export interface YearShop {
  readonly account: Account;
  readonly siteId: number;
  /** The present day of its clock, which stands still: `2026-01-31`. */
  readonly today: string;
  readonly ask: <T>(path: string) => Promise<T>;
  /** A list as the API writes it for spreadsheets. */
  readonly csv: (path: string) => Promise<string>;
}

/** @param tested with a worker. It takes half a minute. */
export async function yearShop(tested: Console): Promise<YearShop> {
  const siteId = await makeDemoYear(tested.database, tested.url);
  const body = JSON.stringify({ Email: DEMO_EMAIL, Password: DEMO_PASSWORD, AccessScope: 'Merchant' });
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${tested.url}/api/AccessTokens/Login`, { method: 'POST', headers, body });
  const { TokenAuth: tokenAuth, UserId: userId } = (await login.json()) as { TokenAuth: string; UserId: number };
  const get = async (path: string, accept: string) => {
    const answer = await fetch(`${tested.url}/api/${path}`, {
      headers: { authorization: `Basic ${tokenAuth}`, accept },
    });
    if (!answer.ok) throw new Error(`GET ${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.text();
  };
  const ask = async <T>(path: string) => JSON.parse(await get(path, 'application/json')) as T;
  const { AsOfUtc } = await ask<{ AsOfUtc: string }>(`Site/${siteId}/Overview`);
  return {
    account: { email: DEMO_EMAIL, password: DEMO_PASSWORD, userId, siteId, tokenAuth },
    siteId,
    today: AsOfUtc.slice(0, 10),
    ask,
    csv: (path) => get(path, 'text/csv'),
  };
}

/** `2026-01-31` → `Sat 31 Jan 2026`, by the language's own words. */
export function dayText(day: string): string {
  const text = new Date(`${day}T00:00:00Z`).toUTCString();
  return `${text.slice(0, 3)} ${Number(text.slice(5, 7))} ${text.slice(8, 16)}`;
}

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The first day of the month after that of a day, or of a later one. */
export function monthAfter(day: string, months = 1): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

/** The rows of a table, without its head. */
export const rowsOf = (page: Page, label: string): Locator =>
  page.getByRole('region', { name: label, exact: true }).locator('tbody tr');

/** The texts of the cells of each row that are shown. */
export async function textsOf(rows: Locator): Promise<readonly (readonly string[])[]> {
  const texts = await rows.allInnerTexts();
  return texts.map((text) => text.split('\t').map((cell) => cell.trim()));
}
