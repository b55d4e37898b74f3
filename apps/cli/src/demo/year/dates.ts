import { PEOPLE } from './people.js';

export const DAYS = 365;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The instant at which a year begins that ends now. */
export const yearBefore = (now: Date): Date =>
  new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS - DAYS * DAY_MS);

export const yearAfter = (beginning: Date): Date => new Date(beginning.getTime() + DAYS * DAY_MS);

/** The customer who comes at the very beginning: its record keeps the date. */
export const FIRST_CUSTOMER = PEOPLE[0]!.externalId;
