import type { Cells } from '../cells.js';

/** Columns that are read; names of measures have a unit. */
const READ =
  /^(ID|Type|SKU|Name|Published|Short description|Description|Date sale price (starts|ends)|Tax (status|class)|In stock\?|Stock|Backorders allowed\?|(Weight|Length|Width|Height)(\s*\(.*\))?|Sale price|Regular price|Shipping class|Images|Parent)$/i;

/** Default values of cells, with which no information is lost. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'is featured?': '0',
  'visibility in catalog': 'visible',
  'sold individually?': '0',
  'allow customer reviews?': '1',
  position: '0',
};

/** The columns that cannot be imported, each with a test whether a row has information in it. */
export function leftBehind(columns: readonly string[]): (cells: Cells) => string[] {
  const lost = columns.filter((column) => column !== '' && !READ.test(column));
  return (cells) =>
    lost.filter((column) => {
      const cell = cells(column) ?? '';
      return cell !== '' && cell !== DEFAULTS[column.toLowerCase()];
    });
}
