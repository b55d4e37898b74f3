/** Spaces and apostrophes differ between the versions of a translation, and nothing else does. */
const keyOf = (name: string) =>
  name.normalize('NFC').toLowerCase().replaceAll('’', "'").replaceAll('&nbsp;', ' ').replace(/\s+/gu, ' ').trim();

/** Names as WooCommerce has them in English, each followed by those of other languages and versions. */
export type Names = readonly (readonly [english: string, ...others: string[]])[];

/** Makes the function that gives the English name of a column; undefined for what is none of the names. */
export function translator(names: Names): (name: string) => string | undefined {
  const english = new Map(
    names.flatMap(([first, ...others]) => [first, ...others].map((name) => [keyOf(name), first] as const)),
  );
  return (name) => english.get(keyOf(name));
}

export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

const SHOWN = 3;

/** The first few of any number. */
export const firstQuoted = (names: readonly string[]) =>
  quoted(names.slice(0, SHOWN)) + (names.length > SHOWN ? ', …' : '');
