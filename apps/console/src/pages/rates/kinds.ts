import { queryOptions } from '@tanstack/react-query';
import { api, ask, askPage, type Page, type Resource } from '../../api/client.ts';
import type { Once } from '../../api/use-command.ts';
import type { TextField } from '../../components/inputs/text-fields.tsx';

export type KindName = 'tax' | 'shipping';
export type TaxRate = Resource<'TaxRate'>;
export type ShippingRate = Resource<'ShippingRate'>;
export type Rate = TaxRate | ShippingRate;

/** The fields of a body, as they are typed and sent. */
export type RateBody = Resource<'TaxRateBody'> & Resource<'ShippingRateBody'>;

const PLACE: readonly TextField[] = [
  { name: 'Country', label: 'Country', description: 'Code or English name; empty: everywhere' },
  { name: 'State', label: 'State' },
  { name: 'City', label: 'City' },
  { name: 'Postcode', label: 'Postcode' },
];

export const FIELDS: Readonly<Record<KindName, readonly TextField[]>> = {
  tax: [
    { name: 'Name', label: 'Name', description: 'Different names add up; of one name the most specific place applies' },
    { name: 'Rate', label: 'Percent', isNumber: true },
    { name: 'TaxClass', label: 'Tax class', description: 'Empty: products without one' },
    ...PLACE,
  ],
  shipping: [
    { name: 'Name', label: 'Name' },
    { name: 'ShippingClass', label: 'Shipping class', description: 'Empty: products without one' },
    { name: 'BasePrice', label: 'Price of a delivery', isNumber: true },
    { name: 'PricePerUnit', label: 'Price per unit', isNumber: true },
    { name: 'MinSubtotal', label: 'From this subtotal on', isNumber: true },
    { name: 'MinUnits', label: 'From this many units on', isNumber: true },
    { name: 'MinCycles', label: 'After this many deliveries', isNumber: true },
    ...PLACE,
  ],
};

interface ListQuery {
  readonly SiteId: number;
  readonly limit: number;
  readonly q?: string;
  readonly cursor?: string;
}

const PAGE = 100;

/** One page: a shop may have tens of thousands of tax rates. */
export function ratesQuery(kind: KindName, siteId: number, q: string | undefined, cursor: string | undefined) {
  const query: ListQuery = { SiteId: siteId, limit: PAGE, ...(q && { q }), ...(cursor && { cursor }) };
  return queryOptions({
    queryKey: ['rates', kind, query],
    queryFn: ({ signal }): Promise<Page<Rate>> =>
      kind === 'tax'
        ? askPage<Rate>(api.GET('/api/TaxRates', { params: { query }, signal }))
        : askPage<Rate>(api.GET('/api/ShippingRates', { params: { query }, signal })),
  });
}

export function rateCountQuery(kind: KindName, siteId: number, q: string | undefined) {
  const query = { SiteId: siteId, ...(q && { q }) };
  return queryOptions({
    queryKey: ['rates', kind, 'count', query],
    queryFn: ({ signal }) =>
      kind === 'tax'
        ? ask(api.GET('/api/TaxRates/Count', { params: { query }, signal }))
        : ask(api.GET('/api/ShippingRates/Count', { params: { query }, signal })),
  });
}

/** One stored rate; a tax rate with its Terms. */
export const rateQuery = (kind: KindName, id: number) =>
  queryOptions({
    queryKey: ['rates', kind, id],
    queryFn: async ({ signal }): Promise<{ rate: Rate; terms: Resource<'TaxRateTerms'> | null }> => {
      if (kind === 'shipping') {
        const path = { shippingRateId: id };
        return {
          rate: await ask(api.GET('/api/ShippingRate/{shippingRateId}', { params: { path }, signal })),
          terms: null,
        };
      }
      const path = { taxRateId: id };
      const [rate, terms] = await Promise.all([
        ask(api.GET('/api/TaxRate/{taxRateId}', { params: { path }, signal })),
        ask(api.GET('/api/TaxRate/{taxRateId}/Terms', { params: { path }, signal })),
      ]);
      return { rate, terms };
    },
  });

/** Stores a rate. @param id null: a new one. */
export function storeRate(kind: KindName, id: number | null, body: RateBody, once: Once): Promise<Rate> {
  if (kind === 'tax') {
    return id === null
      ? ask<Rate>(api.POST('/api/TaxRates', { params: { header: once }, body }))
      : ask<Rate>(api.PUT('/api/TaxRate/{taxRateId}', { params: { path: { taxRateId: id } }, body }));
  }
  return id === null
    ? ask<Rate>(api.POST('/api/ShippingRates', { params: { header: once }, body }))
    : ask<Rate>(api.PUT('/api/ShippingRate/{shippingRateId}', { params: { path: { shippingRateId: id } }, body }));
}

export const storeTerms = (taxRateId: number, body: Resource<'TaxRateTermsBody'>): Promise<Resource<'TaxRateTerms'>> =>
  ask(api.PUT('/api/TaxRate/{taxRateId}/Terms', { params: { path: { taxRateId } }, body }));

export const deleteRate = (kind: KindName, id: number): Promise<unknown> =>
  kind === 'tax'
    ? ask<unknown>(api.DELETE('/api/TaxRate/{taxRateId}', { params: { path: { taxRateId: id } } }))
    : ask<unknown>(api.DELETE('/api/ShippingRate/{shippingRateId}', { params: { path: { shippingRateId: id } } }));
