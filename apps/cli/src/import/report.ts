import { printJson, remark } from '../output.js';
import { EXIT_DATA } from '../refusal.js';

/** The remark for a count, by its name in the result; `#` is the count. */
const SENTENCES: Readonly<Record<string, string>> = {
  Unpublished: '# not published in the shop: imported as Unavailable, so that they are not sold',
  Untaxed: '# not taxable: imported with the tax class not-taxed, which no tax rate should have',
  Virtual:
    '# virtual without a shipping class: shipping rates without a class apply to them too (see --virtual-shipping-class)',
  ShortenedDescriptions: '# descriptions shortened to 2,000 characters',
  ImagesLeftOut: '# images left out: not a web address',
  SalePricesOutOfDate: '# sale prices left out: not valid today',
  SalePricesThatEnd: '# sale prices have an end date: import again after it, because a product here keeps its price',
  VariationsWithoutParent: '# variations whose parent is neither in the file nor stored',
  TaxedShipping:
    '# rates are for shipping too: they tax it where ShippingTax of the site is ByRate, as the import of its first rates sets it',
  FixedTax: "# with the tax of the shop, fixed: the site's rates give another one, or it has none (docs/moving-in.md)",
  FixedShipping: "# with the shop's price of shipping, fixed: the site's rates give another one, or it has none",
  Manual: '# for a person to decide: migration:check and migration:go-live leave them alone (docs/moving-in.md)',
  DueBeforeExport: '# were due before the export already',
  WithoutPaymentIntegration: '# need a payment integration that the site does not have yet: create it before the check',
  OtherSpecificity:
    '# rates lie within another of the same priority, class and state: here the more specific one applies, WooCommerce takes the one that comes first in the file, or that lists more places',
};

/** Writes one refused row to standard error. */
export function sayRefused(line: number, reason: string): void {
  // The line may have a progress bar.
  remark(`${process.stderr.isTTY ? '\r\u001b[K' : ''}line ${line}: ${reason}`);
}

interface ImportResult {
  readonly DryRun?: true;
  readonly Refused: number;
  readonly NotCarriedOver: Readonly<Record<string, number>>;
  readonly Remarks: Readonly<Record<string, number>>;
}

/** Writes the result as JSON, remarks as sentences, and sets exit code 65 if rows were refused. */
export function finishImport(result: ImportResult): void {
  printJson(result);
  for (const [name, count] of Object.entries(result.Remarks)) {
    const sentence = SENTENCES[name];
    if (sentence !== undefined) remark(sentence.replace('#', String(count)));
  }
  const lost = Object.entries(result.NotCarriedOver).map(([column, rows]) => `${column} (${rows})`);
  if (result.DryRun) remark('this was a dry run: nothing was written');
  if (lost.length > 0) remark(`not imported, by column and rows: ${lost.join(', ')}`);
  if (result.Refused > 0) {
    remark(`${result.Refused} refused`);
    process.exitCode = EXIT_DATA;
  }
}

/** Counts by name, in the order in which the names first occur. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string, count = 1): void {
    if (count > 0) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }
}
