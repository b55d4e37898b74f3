import type { ConnectionPool, Transaction } from '#libs/platform';
import { type Cells, RowFault } from '../cells.js';
import { Tally } from '../report.js';
import { checkRealSite } from '../site-of-import.js';
import { type FileKind, type OnRefused, refuseTwins, stageFile } from '../stage.js';
import { importing } from '../transaction.js';
import { leaveChanged, takeOut } from './changed.js';
import { adviceOnHeadings, columnKeys, furtherColumns, type NamedColumns, REQUIRED } from './column-names.js';
import { priceAll } from './price-all.js';
import { createCustomers, findCustomers, findProducts, removeImported, SOURCE } from './references.js';
import { keepsOtherDay } from './schedule.js';
import { createItems, createStage } from './stage-tables.js';
import { LEFT_OUT, type Reading, statusOf, subscriptionRow } from './subscription-row.js';
import { writeOrders } from './write.js';

export interface SubscriptionsImport {
  readonly path: string;
  readonly siteId: number;
  /** When the file was made: charges since then are not in it. */
  readonly exportedUtc: Date;
  /** The discounts of coupons are part of the prices, and may stay so. */
  readonly keepDiscounts?: boolean | undefined;
  /** Which headings of the file are which columns, where it does not have the exporter's names. */
  readonly columns?: NamedColumns | undefined;
  /**
   * Called for every row that is refused, and for those that are imported with a tax other than the site's rates give.
   */
  readonly onRefused: OnRefused;
  /** Nothing is written. */
  readonly dryRun?: boolean | undefined;
}

/** A subscriptions export, and what was noted when it was read. */
class SubscriptionExport implements FileKind {
  readonly name = 'WooCommerce subscriptions export';
  readonly required = REQUIRED;
  readonly onMissing = adviceOnHeadings;
  readonly notCarriedOver = new Tally();
  /** Subscriptions that have ended, or never began, by their status. */
  readonly leftOut = new Tally();
  /** The ids of subscriptions whose rows cannot be read. */
  readonly refused: string[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly reading: Reading,
    readonly columnsOf: ReturnType<typeof columnKeys>,
  ) {}

  async prepare(columns: readonly string[]) {
    await createStage(this.tx);
    const further = furtherColumns(columns);
    return (cells: Cells, line: number) => {
      const { status, isImported } = this.read(cells, () => statusOf(cells));
      if (!isImported) {
        this.leftOut.add(status);
        return [{ line, source_id: cells('subscription_id'), source_status: status }];
      }
      const row = this.read(cells, () => subscriptionRow(cells, line, this.reading));
      for (const column of further) if (!/^0?$/.test(cells(column) ?? '')) this.notCarriedOver.add(column);
      if (row.items.some((item) => item.has_meta)) this.notCarriedOver.add('order_items: meta');
      return [row];
    };
  }

  /** A row that cannot be read may say that an earlier import is out of date. */
  private read<T>(cells: Cells, reader: () => T): T {
    try {
      return reader();
    } catch (error) {
      if (error instanceof RowFault) this.refused.push(cells('subscription_id') ?? '');
      throw error;
    }
  }
}

/** One import of a site at a time: a second one waits, and finds what the first one has imported. */
const ONE_AT_A_TIME = `SELECT pg_advisory_xact_lock(hashtext('import:subscriptions'), hashint8($1))`;

/**
 * Imports a subscriptions export of WooCommerce into a site: scheduled orders that are paused, and cost what the
 * subscriptions cost. A subscription that is there already stays as it is; where the file says something else of it, it
 * is left to a person. It is one transaction: an interrupted import leaves nothing.
 * @throws Refusal when the file is not such an export.
 */
export function importSubscriptions(database: ConnectionPool, request: SubscriptionsImport) {
  const { path, siteId, onRefused, exportedUtc, keepDiscounts = false, dryRun = false, columns = new Map() } = request;
  return importing(database, dryRun, async (tx) => {
    await checkRealSite(tx, siteId);
    await tx.execute(ONE_AT_A_TIME, [siteId]);
    const reading = { currencyIso: await currencyOf(tx, siteId), keepDiscounts, exportedUtc };
    const file = new SubscriptionExport(tx, reading, columnKeys(path, columns));
    const { read, refused } = await stageFile(tx, path, file, onRefused);
    await takeOut(tx, LEFT_OUT, file.refused);
    const twins = await refuseTwins(tx, ['source_id'], 'the same subscription_id', onRefused);
    const changes = await leaveChanged(tx, siteId);
    const alreadyThere = await removeImported(tx, siteId);
    await createItems(tx);
    const withoutProduct = await findProducts(tx, siteId, onRefused);
    const ambiguous = await findCustomers(tx, siteId, onRefused);
    const remarks = new Tally();
    const unpriced = await priceAll(tx, siteId, remarks, onRefused);
    const customers = await createCustomers(tx, siteId);
    await remarkOn(tx, siteId, exportedUtc, remarks);
    const created = await writeOrders(tx, siteId, exportedUtc);
    return {
      SiteId: siteId,
      Read: read,
      Created: created,
      AlreadyThere: alreadyThere,
      Changed: changes.changed,
      LiveButEnded: changes.liveButEnded,
      NotInFile: changes.notInFile,
      LeftOut: file.leftOut.toJSON(),
      Refused: refused + twins + withoutProduct + ambiguous + unpriced,
      CustomersCreated: customers,
      NotCarriedOver: file.notCarriedOver.toJSON(),
      Remarks: remarks.toJSON(),
    };
  });
}

async function currencyOf(tx: Transaction, siteId: number): Promise<string> {
  const [site] = await tx.execute<{ currencyIso: string }>(`SELECT currency_iso FROM sites WHERE id = $1`, [siteId]);
  return site!.currencyIso;
}

/** What the merchant should know before going live. */
async function remarkOn(tx: Transaction, siteId: number, exportedUtc: Date, remarks: Tally): Promise<void> {
  const [counts] = await tx.execute<{ manual: number; overdue: number; gateway: number; elsewhere: number }>(
    `SELECT count(reason)::integer AS manual,
       count(*) FILTER (WHERE next_utc < $2)::integer AS overdue,
       count(*) FILTER (WHERE payment_type IS NOT NULL AND NOT EXISTS (
         SELECT FROM payment_integrations p
         WHERE p.site_id = $1 AND p.deleted_utc IS NULL AND p.payment_method_type = staged.payment_type))::integer AS gateway,
       count(*) FILTER (WHERE EXISTS (
         SELECT FROM migrated_subscriptions m JOIN scheduled_orders o ON o.id = m.scheduled_order_id
         WHERE m.source = $3 AND m.source_id = staged.source_id AND m.gateway_customer_id = staged.gateway_customer_id
           AND m.payment_method_type = staged.payment_type AND m.site_id <> $1 AND o.deleted_utc IS NULL))::integer AS elsewhere
     FROM staged`,
    [siteId, exportedUtc, SOURCE],
  );
  remarks.add('Manual', counts!.manual);
  remarks.add('DueBeforeExport', counts!.overdue);
  remarks.add('WithoutPaymentIntegration', counts!.gateway);
  remarks.add('InAnotherSite', counts!.elsewhere);
  const late = await tx.execute<{ frequency: number; next: Date }>(
    `SELECT frequency, next_utc AS next FROM staged WHERE frequency_type = 'Months' AND extract(day FROM next_utc AT TIME ZONE 'UTC') >= 28`,
  );
  const others = late.filter(({ frequency, next }) => keepsOtherDay(frequency, next));
  remarks.add('KeepsDay', others.length);
}
