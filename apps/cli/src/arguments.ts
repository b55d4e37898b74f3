import { InvalidArgumentError } from 'commander';
import { currencyFault } from '#libs/rules';
import { isEmailAddress } from './email-address.js';

const MAX_TEXT = 255;
const MAX_URL = 2_000;

function bounded(text: string, max: number): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  if (text.length > max) throw new InvalidArgumentError(`It has more than ${max} characters.`);
  return text;
}

export const text = (value: string) => bounded(value, MAX_TEXT);

/** An account's email is kept in lower case. */
export function email(value: string): string {
  if (!isEmailAddress(value)) throw new InvalidArgumentError('It is not an email address.');
  return bounded(value, MAX_TEXT).toLowerCase();
}

export function webAddress(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new InvalidArgumentError('It is not a web address such as https://shop.example.');
  }
  return bounded(value, MAX_URL);
}

export function currency(value: string): string {
  const iso = value.toUpperCase();
  const fault = currencyFault(iso);
  if (fault !== null) throw new InvalidArgumentError(fault);
  return iso;
}

export function id(value: string): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 1 && number <= Number.MAX_SAFE_INTEGER)) throw new InvalidArgumentError('It is not an id such as 1.');
  return number;
}

/** An option that may be repeated: each names one more id. */
export const ids = (value: string, before: readonly number[] = []): readonly number[] => [...before, id(value)];

/** A whole number from `smallest`, 1 or more, to `largest`, which has at most nine digits. */
export function between(smallest: number, largest: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    if (number < smallest || number > largest) {
      throw new InvalidArgumentError(`It is not a number from ${smallest} to ${largest}.`);
    }
    return number;
  };
}

/** A whole number from 1 to `largest`, which has at most nine digits. */
export const upTo = (largest: number): ((value: string) => number) => between(1, largest);

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** An instant with its offset from UTC: nobody's local time is guessed. */
export function instant(value: string): Date {
  const [, day] = INSTANT.exec(value) ?? [];
  const time = new Date(day === undefined ? Number.NaN : value);
  // A day that the month does not have would become one of the next month.
  if (Number.isNaN(time.getTime()) || new Date(`${day!}T00:00:00Z`).toISOString().slice(0, 10) !== day) {
    throw new InvalidArgumentError('It is not an instant such as 2026-01-31T08:00:00Z.');
  }
  return time;
}
