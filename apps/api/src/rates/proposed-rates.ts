import { columnOf } from '#libs/entities';
import type { Statement, Transaction } from '#libs/platform';
import {
  assertReferences,
  type Caller,
  collectFaults,
  type Fault,
  PROPOSED_SHIPPING_RATES,
  PROPOSED_TAX_RATES,
  type ProposedRates,
  type Referable,
  Rejected,
} from '#libs/records';
import type { ShippingRateRow, TaxRateRow } from '#libs/rules';
import type { ProposedShippingRateDto, ProposedTaxRateDto } from '../contract/catalog/rates-question.dto.js';
import type { Input } from '../http/parameters/parameters.js';
import { assertLocation } from './location.js';

/** What of a request proposes rates. */
export interface SentRates {
  readonly taxRates?: readonly Input<ProposedTaxRateDto>[];
  readonly shippingRates?: readonly Input<ProposedShippingRateDto>[];
}

interface Kind extends Referable {
  /** The array in the body. */
  readonly field: string;
  readonly statement: Statement;
}

const TAX: Kind = { field: 'TaxRates', table: 'tax_rates', name: 'TaxRate', statement: PROPOSED_TAX_RATES };
const SHIPPING: Kind = {
  field: 'ShippingRates',
  table: 'shipping_rates',
  name: 'ShippingRate',
  statement: PROPOSED_SHIPPING_RATES,
};

/** An element of such an array. */
interface Proposal {
  /** Of the stored rate that it is in place of; else negative: −1 for the first element. */
  readonly id: number;
  readonly path: string;
  readonly siteId: number | undefined;
  readonly values: object;
}

/**
 * Rates as they would be after a POST or PUT of each: checked in the same way, not stored.
 * @throws Rejected for what these requests would refuse, for an Id of no rate of the site, and for one that is sent
 * twice. Forbidden for another account's.
 */
export async function proposedRates(
  tx: Transaction,
  caller: Caller,
  siteId: number,
  { taxRates = [], shippingRates = [] }: SentRates,
): Promise<ProposedRates> {
  const taxes = taxRates.map(({ terms, ...rate }) => ({ ...rate, ...terms }));
  const [ofTax, ofShipping] = await collectFaults(
    () => asStored<TaxRateRow>(tx, caller, siteId, TAX, taxes),
    () => asStored<ShippingRateRow>(tx, caller, siteId, SHIPPING, shippingRates),
  );
  return { taxRates: ofTax, shippingRates: ofShipping };
}

type Sent = { readonly id?: number | null; readonly siteId?: number };

async function asStored<Row extends TaxRateRow | ShippingRateRow>(
  tx: Transaction,
  caller: Caller,
  siteId: number,
  kind: Kind,
  sent: readonly Sent[],
): Promise<Row[]> {
  if (sent.length === 0) return [];
  const proposals = sent.map(({ id, siteId: named, ...values }, index): Proposal => {
    return { id: id ?? -1 - index, path: `${kind.field}[${index}].`, siteId: named, values };
  });
  const replacing = proposals.filter(({ id }) => id > 0);
  const references = replacing.map(({ id, path }) => ({ field: `${path}Id`, id }));
  const [rows] = await collectFaults(
    () => tx.execute<{ rate: Row }>(kind.statement, [siteId, proposals.map(({ id }) => id), proposals.map(columnsOf)]),
    () => assertReferences(tx, caller, kind, references, siteId),
    () => assertSite(proposals, siteId),
    () => assertOnce(replacing, kind),
  );
  const pathOf = new Map(proposals.map(({ id, path }) => [id, path]));
  const placed = rows.map(({ rate }) => ({ rate, path: pathOf.get(rate.id) }));
  await collectFaults(...placed.map((one) => () => assertLocation(one.rate, one.path)));
  return rows.map(({ rate }) => rate);
}

const columnsOf = ({ id, values }: Proposal): string =>
  JSON.stringify({
    ...Object.fromEntries(Object.entries(values).map(([property, value]) => [columnOf(property), value as unknown])),
    id,
  });

function assertSite(proposals: readonly Proposal[], siteId: number): void {
  const faults = proposals
    .filter((proposal) => (proposal.siteId ?? siteId) !== siteId)
    .map(({ path }): Fault => ({
      field: `${path}SiteId`,
      message: `The rates are those of site ${siteId}: leave it out.`,
    }));
  if (faults.length > 0) throw new Rejected(faults);
}

function assertOnce(replacing: readonly Proposal[], { name }: Kind): void {
  const first = new Map<number, string>();
  const faults = replacing.flatMap(({ id, path }): Fault[] => {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, path);
    const message = `${name} ${id} is in ${earlier?.slice(0, -1)} already: send each rate once.`;
    return earlier === undefined ? [] : [{ field: `${path}Id`, message }];
  });
  if (faults.length > 0) throw new Rejected(faults);
}
