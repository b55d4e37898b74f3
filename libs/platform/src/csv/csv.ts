const LINE_END = '\r\n';

/**
 * A text that a spreadsheet could run as a formula: its first character after blanks and invisible ones begins one.
 * OWASP, CSV Injection. Apostrophes before it are those of a text that was guarded already: it gets one more, so that
 * `unguarded` gives back exactly what was written.
 */
const FORMULA = /^'*[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]*[=＝﹦+＋﹢\-－﹣@＠﹫\t\r\n]/u;

/** Numbers, true and false, as JSON writes them. */
const PLAIN = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false)$/;

const guarded = (text: string) => (FORMULA.test(text) ? `'${text}` : text);

/** A text without the apostrophe that guards it from spreadsheets. */
export const unguarded = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text);

function cellOf(json: string): string {
  if (json === 'null') return '';
  if (PLAIN.test(json)) return json;
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  return `"${guarded(text).replaceAll('"', '""')}"`;
}

/** The first line of a table. @param names ours: they need no quotes. */
export const csvHead = (names: readonly string[]): string => names.join(',') + LINE_END;

/**
 * Rows of a table (RFC 4180). Numbers keep the digits that they have. Every text stands in quotes, so that no line end
 * inside it begins a row, and is no formula (docs/api.md, CSV).
 * @param rows of values as JSON writes them: `"text"`, `12.50`, `true`, `null`.
 */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(cellOf).join(',') + LINE_END).join('');
