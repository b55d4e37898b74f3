import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sitesQuery } from '../../sites.ts';
import { Figures } from './figure.tsx';
import type { State } from './queries.ts';

const NAMES: Record<State['Quotas'][number]['Of'], string> = {
  Sites: 'Shops',
  TestClocks: 'Test shops',
  ApiKeys: 'API keys',
  Rates: 'Rates of a shop',
  WebhookEndpoints: 'Webhook endpoints of a shop',
};

/** From here on somebody should see to it, in hundredths of the limit. */
const NEARLY = 90;

const count = new Intl.NumberFormat('en');

/** How much there is of what is limited. */
export function Quotas({ state }: { readonly state: State }): ReactElement {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const nameOf = (siteId: number) => sites.find(({ id }) => id === siteId)?.name ?? `shop ${siteId}`;
  return (
    <Figures
      title="Limits"
      about="What you may create. One more than the limit is refused."
      figures={state.Quotas.map(({ Of, SiteId, Used, Limit }) => ({
        name: NAMES[Of],
        value: `${count.format(Used)} of ${count.format(Limit)}`,
        state: Used * 100 < Limit * NEARLY ? 'good' : 'attention',
        means: SiteId === null ? 'Of your account.' : `Of ${nameOf(SiteId)}, which has the most.`,
        help: 'Near the limit: delete what is not used any more, or ask whoever runs the service.',
      }))}
    />
  );
}
