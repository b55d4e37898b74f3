import { pastQuote, pricingOf } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import { minorUnitsOf, type Quote } from '#libs/rules';
import { quoteJson } from '../../scheduled-orders/quotes/quote-json.js';
import { becauseOf, NOT_COMPLETED, WITHOUT_AMOUNTS } from './because.js';
import { type PastCycleRow, type RecordedAmounts, recordedOf } from './past-cycle.js';

/** Why a past charge was what it was. */
export interface ExplainedCycle {
  readonly cycle: number;
  readonly atUtc: Date;
  /** Null: not known. */
  readonly ratesVersion: number | null;
  /** Null: it cannot be calculated. */
  readonly quote: Quote | null;
  readonly recorded: RecordedAmounts;
  readonly currencyIso: string | null;
  /** Whether all amounts were calculated again, and are those that were recorded. Null: there is nothing to compare. */
  readonly isEqual: boolean | null;
  /** Sentences; null when they are equal and the cycle is completed. */
  readonly because: string | null;
}

const NOTHING: RecordedAmounts = { subtotal: null, shippingTotal: null, taxTotal: null, total: null };

/**
 * Calculates again what a cycle charged, with what its price was made of then. @returns null when the order has no such
 * cycle.
 */
export async function explainedCycle(database: SqlExecutor, row: PastCycleRow): Promise<ExplainedCycle | null> {
  const { cycle } = row;
  if (cycle === null) return null;
  const { state, currencyIso } = cycle;
  const recorded = recordedOf(row);
  const pricing = pricingOf(cycle);
  const about = {
    cycle: cycle.cycle,
    atUtc: new Date(cycle.atUtc),
    ratesVersion: pricing?.ratesVersion ?? null,
    recorded: recorded ?? NOTHING,
    currencyIso,
  };
  if (recorded === null || currencyIso === null)
    return { ...about, quote: null, isEqual: null, because: WITHOUT_AMOUNTS[state] };
  const charge = pricing && { siteId: row.siteId, currencyIso, pricing, recorded };
  const quote = (charge && (await pastQuote(database, charge)))?.quote ?? null;
  const reasons = becauseOf(quote, recorded, pricing);
  const because = state === 'Completed' ? reasons : [NOT_COMPLETED, ...reasons];
  return { ...about, quote, isEqual: reasons.length === 0, because: because.join(' ') || null };
}

/** As the API answers it: amounts in minor units. */
export function explainedJson(explained: ExplainedCycle): string {
  const { cycle, atUtc, ratesVersion, quote, recorded, currencyIso, isEqual, because } = explained;
  const quoted = quote === null ? 'null' : quoteJson(quote, quote.problems);
  const minorUnits = (amount: string | null) =>
    amount === null || currencyIso === null ? null : minorUnitsOf(amount, currencyIso);
  const rest = {
    Recorded: {
      Subtotal: minorUnits(recorded.subtotal),
      ShippingTotal: minorUnits(recorded.shippingTotal),
      TaxTotal: minorUnits(recorded.taxTotal),
      Total: minorUnits(recorded.total),
    },
    Equal: isEqual,
    Because: because,
  };
  const head = JSON.stringify({ Cycle: cycle, AtUtc: atUtc.toISOString(), RatesVersion: ratesVersion });
  return `${head.slice(0, -1)},"Quote":${quoted},${JSON.stringify(rest).slice(1)}`;
}
