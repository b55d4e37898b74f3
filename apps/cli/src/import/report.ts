import { printJson, remark } from '../output.js';
import { EXIT_DATA } from '../refusal.js';

/** What is said of a count, by its name in the result; `#` is the count. */
const SENTENCES: Readonly<Record<string, string>> = {
  Unpublished: '# not published in the shop: taken as Unavailable, so that nothing of them is sold',
  Untaxed: '# not taxable: taken with the tax class not-taxed, which no tax rate should have',
  Virtual:
    '# virtual without a shipping class: shipping rates without a class apply to them too (see --virtual-shipping-class)',
  ShortenedDescriptions: '# descriptions shortened to 2,000 characters',
  ImagesLeftOut: '# images left out: no web address',
  SalePricesOutOfDate: '# sale prices left out: not in force today',
  SalePricesThatEnd: '# sale prices end on a day: import again after it, a product here keeps its price',
  VariationsWithoutParent: '# variations whose parent is neither in the file nor stored',
  TaxedShipping:
    '# rates are for shipping too: they tax it where ShippingTax of the site is ByRate, as the import of its first rates sets it',
  OtherSpecificity:
    '# rates lie within another of the same priority, class and state: here the more specific one applies, WooCommerce takes the one that comes first in the file, or that lists more places',
};

/** One row that was not taken, on standard error. */
export function sayRefused(line: number, reason: string): void {
  // A progress bar may stand on the line.
  remark(`${process.stderr.isTTY ? '\r\u001b[K' : ''}line ${line}: ${reason}`);
}

interface ImportResult {
  readonly DryRun?: true;
  readonly Refused: number;
  readonly NotCarriedOver: Readonly<Record<string, number>>;
  readonly Remarks: Readonly<Record<string, number>>;
}

/** The result as JSON, what a person should know in sentences, and exit code 65 if rows were refused. */
export function finishImport(result: ImportResult): void {
  printJson(result);
  for (const [name, count] of Object.entries(result.Remarks)) {
    const sentence = SENTENCES[name];
    if (sentence !== undefined) remark(sentence.replace('#', String(count)));
  }
  const lost = Object.entries(result.NotCarriedOver).map(([column, rows]) => `${column} (${rows})`);
  if (result.DryRun) remark('this was a dry run: nothing was written');
  if (lost.length > 0) remark(`not carried over, by column and rows: ${lost.join(', ')}`);
  if (result.Refused > 0) {
    remark(`${result.Refused} refused`);
    process.exitCode = EXIT_DATA;
  }
}
