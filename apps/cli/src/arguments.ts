import { InvalidArgumentError } from 'commander';
import { currencyFault } from '#libs/rules';

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
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) throw new InvalidArgumentError('It is not an email address.');
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

/** An instant with its offset from UTC: nobody's local time is guessed. */
export function instant(value: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(value)
    ? new Date(value)
    : new Date(Number.NaN);
  if (Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It is not an instant such as 2026-01-31T08:00:00Z.');
  return date;
}
