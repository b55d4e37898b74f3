/**
 * What a page's address may say. A value that is none is left out, so that an old or mistyped link still opens its
 * page.
 */
type Reader<T> = (value: string) => T | undefined;

/** The address has texts only; what a link of ours gives may be a number or a yes or no. */
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

type Read<Readers> = { [Key in keyof Readers]?: Readers[Key] extends Reader<infer T> ? T | undefined : never };

/** For a route's `validateSearch`: `searchOf({ q: text, status: oneOf(['Active', 'Paused']) })`. */
export const searchOf =
  <Readers extends Record<string, Reader<unknown>>>(readers: Readers) =>
  (search: Record<string, unknown>): Read<Readers> => {
    const entries = Object.entries(readers).map(([key, read]) => {
      const value = search[key];
      return [key, value === undefined || value === null || value === '' ? undefined : read(written(value))] as const;
    });
    // Also what is undefined: the router would take the value of the address else.
    return Object.fromEntries(entries) as Read<Readers>;
  };

export const text: Reader<string> = (value) => value;

export const wholeNumber: Reader<number> = (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);

export const flag: Reader<boolean> = (value) => (value === 'true' ? true : value === 'false' ? false : undefined);

/** `2026-03-01`. */
export const day: Reader<string> = (value) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** `2026-03-01`, or `2026-03-01T10:00:00.000Z`. */
export const dayOrInstant: Reader<string> = (value) =>
  day(value) ?? (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined);

/** `2026-03`. */
export const month: Reader<string> = (value) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined);

export const oneOf =
  <const T extends string>(values: readonly T[]): Reader<T> =>
  (value) =>
    values.find((known) => known === value);

/** Addresses are written plainly: `?status=Active&q=ada`. */
export const parseSearch = (query: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(query));

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(key, written(value));
  }
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}
