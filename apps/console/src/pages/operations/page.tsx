import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { useSite } from '../../sites.ts';
import { Integrations, Messages } from './connections.tsx';
import { Installation } from './installation.tsx';
import { Orders } from './orders.tsx';
import { operationsQuery } from './queries.ts';
import { Quotas } from './quotas.tsx';

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
