import { ApiRefusal, ApiSession } from '../api-session.js';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../demo-account.js';
import { Clock } from './clock.js';
import { FIRST_CUSTOMER, yearAfter } from './dates.js';
import { Missing, Shop } from './shop.js';
import { type Moment, story } from './story.js';

/** What the year has left, when it is over. */
export interface YearFigures {
  readonly customers: number;
  readonly scheduledOrders: number;
  readonly orders: number;
}

const KEY_NAME = 'Back end of the simulated shop';

const CHANGED_SINCE: ReadonlySet<number> = new Set([404, 409]);

/** Somebody has changed the record, or has deleted it: the year goes on without this step. */
const isPassedOver = (error: unknown): boolean =>
  error instanceof Missing || (error instanceof ApiRefusal && CHANGED_SINCE.has(error.status));

/**
 * Lets the year of the simulated shop happen, through the API at `apiUrl`: the clock goes from moment to moment, and
 * workers process what falls due on the way. Whoever was interrupted calls it again: it goes on where the clock is. A
 * clock beyond the year stays as it is.
 * @param signal ends it; then it rejects.
 */
export async function liveThroughYear(apiUrl: string, siteId: number, signal?: AbortSignal): Promise<YearFigures> {
  const merchant = await ApiSession.login(apiUrl, DEMO_EMAIL, DEMO_PASSWORD, signal);
  await endKeys(merchant);
  const session = await merchant.ofSite(siteId, KEY_NAME);
  try {
    const clock = new Clock(session, siteId, signal);
    const shop = await Shop.open(session, siteId);
    const beginning = await beginningOf(shop, clock);
    if (beginning !== undefined) {
      for (const moment of story()) await live(moment, shop, clock, beginning);
      await clock.advance(yearAfter(beginning));
    }
    return await figuresOf(session, siteId);
  } finally {
    await endKeys(merchant).catch(() => undefined);
  }
}

/** Also that of an interrupted start. */
async function endKeys(merchant: ApiSession): Promise<void> {
  const keys = await merchant.list<{ readonly Id: number; readonly Name: string }>('/api/ApiKeys');
  for (const { Id, Name } of keys) if (Name === KEY_NAME) await merchant.delete(`/api/ApiKey/${Id}`);
}

/** @returns undefined when nobody can know it any more: then the shop is left as it is. */
async function beginningOf(shop: Shop, clock: Clock): Promise<Date | undefined> {
  const customers = await shop.list<{ ExternalId: string | null; Created: string | null }>('/api/Customers');
  if (customers.length === 0) return clock.ready();
  const first = customers.find(({ ExternalId }) => ExternalId === FIRST_CUSTOMER);
  return first?.Created == null ? undefined : new Date(first.Created);
}

/** The clock leaves the instant of a moment only when all its steps are done. */
async function live({ afterMs, steps }: Moment, shop: Shop, clock: Clock, beginning: Date): Promise<void> {
  const at = new Date(beginning.getTime() + afterMs);
  const now = await clock.advance(at);
  if (now > at) return;
  for (const step of steps) {
    try {
      await step(shop, at.toISOString());
    } catch (error) {
      if (!isPassedOver(error)) throw error;
    }
  }
}

async function figuresOf(session: ApiSession, siteId: number): Promise<YearFigures> {
  const count = async (resource: string) =>
    (await session.get<{ Count: number }>(`/api/${resource}/Count?SiteId=${siteId}`)).Count;
  return {
    customers: await count('Customers'),
    scheduledOrders: await count('ScheduledOrders'),
    orders: await count('Orders'),
  };
}
