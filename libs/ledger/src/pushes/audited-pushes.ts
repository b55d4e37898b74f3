import { Batch, type SqlExecutor, Statement } from '#libs/platform';
import { chargedMinorUnits, minorUnitExponent } from '#libs/rules';
import type { DifferenceKind } from '../differences/difference-kinds.js';
import { type Difference, reportDifference } from '../differences/differences.js';

/** An order with a push name, as its shop has it; or one that the shop does not have any more. */
export interface AuditedInShop {
  readonly shopOrderId: string;
  readonly pushName: string;
  readonly state: 'Paid' | 'Gone' | 'Other';
  /** Null: the shop does not say. */
  readonly total: string | null;
}

const AUDITED = new Batch({ shop_order_id: 'text', push_name: 'text', state: 'text', total: 'text' }, 2);

/**
 * What a shop has otherwise than it was when its Order was pushed. What was ended there before it went was told then;
 * what is a person's, or under way, is judged by who pushes. A total that was accepted is none that differs.
 * uq_order_pushes_name, pk_orders. $1 site.
 */
const DIFFERING =
  Statement.named(`SELECT p.scheduled_order_id, p.cycle, p.order_id, p.shop_order_id AS our_id, p.shop_total::text AS our_total,
  b.shop_order_id AS their_id, round(b.total::numeric, 4)::text AS their_total, o.currency_iso,
  CASE WHEN b.state = 'Gone' THEN 'NotInShop' WHEN b.shop_order_id <> p.shop_order_id THEN 'TwiceInShop' ELSE 'TotalDiffersInShop' END AS kind
FROM ${AUDITED.sql} JOIN order_pushes p ON p.site_id = $1 AND p.push_name = b.push_name JOIN orders o ON o.id = p.order_id
WHERE p.state = 'Pushed' AND p.shop_order_id IS NOT NULL AND CASE
  WHEN b.state = 'Gone' THEN b.shop_order_id = p.shop_order_id AND (p.ended_in_shop IS NULL OR p.ended_in_shop = 'Deleted')
  WHEN b.shop_order_id <> p.shop_order_id THEN b.state = 'Paid'
  ELSE round(b.total::numeric, 4) <> p.shop_total END`);

interface DifferingRow {
  readonly kind: Extract<DifferenceKind, 'NotInShop' | 'TwiceInShop' | 'TotalDiffersInShop'>;
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly orderId: number;
  readonly ourId: string;
  readonly ourTotal: string | null;
  readonly theirId: string;
  readonly theirTotal: string | null;
  readonly currencyIso: string | null;
}

/** The audit of pushed Orders (docs/processing.md): writes down what differs, once, and changes nothing else. */
export async function auditPushed(
  executor: SqlExecutor,
  siteId: number,
  audited: readonly AuditedInShop[],
): Promise<void> {
  if (audited.length === 0) return;
  const rows = audited.map(({ shopOrderId, pushName, state, total }) => ({
    ...{ shop_order_id: shopOrderId, push_name: pushName, state, total },
  }));
  const differing = await executor.execute<DifferingRow>(DIFFERING, [siteId, ...AUDITED.values(rows)]);
  await reportDifference(executor, ...differing.map((row) => differenceOf(siteId, row)));
}

function differenceOf(siteId: number, row: DifferingRow): Difference {
  const { kind, scheduledOrderId, cycle, orderId, currencyIso } = row;
  const side = (ShopOrderId: string, total: string | null) => {
    if (total === null || currencyIso === null || minorUnitExponent(currencyIso) === undefined) return { ShopOrderId };
    return { ShopOrderId, Amount: Number(chargedMinorUnits(total, currencyIso)), CurrencyIso: currencyIso };
  };
  return {
    ...{ siteId, kind, scheduledOrderId, cycle, orderId },
    // It is not about the payment.
    ...{ paymentIntegrationId: null, paymentMethodType: null, transactionId: null },
    ours: { Cycle: cycle, ...side(row.ourId, row.ourTotal) },
    theirs: kind === 'NotInShop' ? null : side(row.theirId, row.theirTotal),
  };
}
