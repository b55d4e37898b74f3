/**
 * Columns of a batch as PostgreSQL array literals, for UNNEST. pg's own encoding of arrays costs more than the
 * statement that they feed.
 */
export const numbers = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

export const flags = (values: readonly boolean[]): string =>
  `{${values.map((value) => (value ? 't' : 'f')).join(',')}}`;

export const instants = (values: readonly (Date | null)[]): string =>
  `{${values.map((value) => value?.toISOString() ?? 'NULL').join(',')}}`;

/** PostgreSQL cannot store NUL, and a gateway's text may contain one. */
const SPECIAL = /["\\\0]/;

export const texts = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;

const quoted = (value: string): string =>
  `"${SPECIAL.test(value) ? value.replaceAll('\0', '').replace(/["\\]/g, '\\$&') : value}"`;
