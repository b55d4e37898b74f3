import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { sitesQuery, useSite } from '../../sites.ts';
import { Integrations, Messages } from './connections.tsx';
import { Figures } from './figure.tsx';
import { Installation } from './installation.tsx';
import { Orders } from './orders.tsx';
import { operationsQuery, type State } from './queries.ts';

/** It is read again every 15 seconds. */
export function OperationsPage(): ReactElement {
  const { id: siteId } = useSite();
  const { data: state, error, isPending, refetch } = useQuery(operationsQuery);
  return (
    <Page
      title="Operations"
      about={
        <>
          Whether everything works, and what to do where it does not.
          {state !== undefined && (
            <>
              {' '}
              As of <Instant at={state.AsOfUtc} />.
            </>
          )}
        </>
      }
    >
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {isPending && <Loading rows={8} />}
      {state !== undefined && (
        <>
          <Installation state={state} />
          <Orders state={state} />
          <Integrations state={state} />
          <Messages state={state} siteId={siteId} />
          <Quotas state={state} />
        </>
      )}
    </Page>
  );
}

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
function Quotas({ state }: { readonly state: State }): ReactElement {
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
