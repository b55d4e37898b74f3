/* eslint-disable @typescript-eslint/explicit-module-boundary-types -- what a query gives follows from what it asks */
import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from '../../api/client.ts';

export type Integration = Resource<'PaymentIntegration'>;

const [SHORT, SHOWN] = [12, 4];

/** The end of a key, by which one knows it. Of a short one nothing is shown. */
export const masked = (key: string | null): string | null =>
  key === null || key === '' ? null : key.length < SHORT ? '••••' : `••••${key.slice(-SHOWN)}`;

const withoutKeys = (integration: Integration): Integration => ({
  ...integration,
  ApiAccount: masked(integration.ApiAccount),
  ApiKey1: masked(integration.ApiKey1),
  ApiKey2: masked(integration.ApiKey2),
});

/** Keys are masked before they are kept: a page that is open all day has none. */
export const integrationsQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['payment-integrations', siteId],
    queryFn: async ({ signal }) => {
      const list = await ask(api.GET('/api/PaymentIntegrations', { params: { query: { SiteId: siteId } }, signal }));
      return list.map(withoutKeys);
    },
  });

export const TYPES = ['GatewayOne', 'GatewayTwo'] as const;
export type Type = (typeof TYPES)[number];

interface TypeWords {
  readonly speaks: string;
  /** The credentials that it uses, by the API's names. */
  readonly keys: readonly { readonly name: 'ApiAccount' | 'ApiKey1' | 'ApiKey2'; readonly label: string }[];
}

export const TYPE_WORDS: Readonly<Record<Type, TypeWords>> = {
  GatewayOne: {
    speaks: 'Speaks the Stripe API',
    keys: [
      { name: 'ApiKey1', label: 'Secret key' },
      { name: 'ApiKey2', label: 'Publishable key' },
    ],
  },
  GatewayTwo: {
    speaks: 'Speaks the Authorize.Net API',
    keys: [
      { name: 'ApiAccount', label: 'Login id' },
      { name: 'ApiKey1', label: 'Transaction key' },
    ],
  },
};
