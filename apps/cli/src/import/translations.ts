/** Spaces and apostrophes differ between the versions of a translation, and nothing else does. */
const keyOf = (name: string) =>
  name.normalize('NFC').toLowerCase().replaceAll('’', "'").replaceAll('&nbsp;', ' ').replace(/\s+/gu, ' ').trim();

export const isSameName = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

/** Names as WooCommerce has them in English, each followed by those of other languages and versions. */
export type Names = readonly (readonly [english: string, ...others: string[]])[];

/** Gives the English name of a column; undefined for what is none of the names. */
type Translator = (column: string) => string | undefined;

/** Makes the translator of these names. */
export function translator(names: Names): Translator {
  const english = new Map(
    names.flatMap(([first, ...others]) => [first, ...others].map((name) => [keyOf(name), first] as const)),
  );
  return (name) => english.get(keyOf(name));
}

/** A file's columns by their English names; a name that the translator does not know stays as it is. */
export const columnsBy =
  (translate: Translator) =>
  (columns: readonly string[]): string[] =>
    columns.map((column) => translate(column) ?? column);

export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

const SHOWN = 3;

/** The first few of any number. */
export const firstQuoted = (names: readonly string[]) =>
  quoted(names.slice(0, SHOWN)) + (names.length > SHOWN ? ', …' : '');
