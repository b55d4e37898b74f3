import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from '../../api/client.ts';

export interface Integration extends Resource<'PaymentIntegration'> {
  /** Its keys are null whether or not there are any: the password was not entered. */
  readonly isHidden: boolean;
}

const [SHORT, SHOWN] = [12, 4];

/** The end of a key, by which one knows it. Of a short one nothing is shown. */
export const masked = (key: string | null): string | null =>
  key === null || key === '' ? null : key.length < SHORT ? '••••' : `••••${key.slice(-SHOWN)}`;

const withoutKeys = (integration: Resource<'PaymentIntegration'>, isHidden: boolean): Integration => ({
  ...integration,
  isHidden,
  ApiAccount: masked(integration.ApiAccount),
  ApiKey1: masked(integration.ApiKey1),
  ApiKey2: masked(integration.ApiKey2),
});

/** Keys are masked before they are kept: a page that is open all day has none. */
export const integrationsQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['payment-integrations', siteId],
    queryFn: async ({ signal }) => {
      const [{ ConfirmedUntilUtc }, list] = await Promise.all([
        ask(api.GET('/api/Session', { signal })),
        ask(api.GET('/api/PaymentIntegrations', { params: { query: { SiteId: siteId } }, signal })),
      ]);
      return list.map((integration) => withoutKeys(integration, ConfirmedUntilUtc === null));
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
