import { Alert, Button, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ActionButton } from '../../components/action-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { countText } from '../../money.ts';
import { useSite } from '../../sites.ts';
import { orderCountQuery } from '../scheduled-orders/query.ts';
import { IntegrationCard } from './integration-card.tsx';
import { IntegrationDialog, RemoveDialog } from './integration-dialogs.tsx';
import { type Integration, integrationsQuery, TYPES } from './queries.ts';

const route = getRouteApi('/s/$siteId/payments');

export function PaymentsPage(): ReactElement {
  const { id: siteId } = useSite();
  const navigate = route.useNavigate();
  const list = useQuery(integrationsQuery(siteId));
  const open = (dialog: 'add' | 'change' | 'remove', item?: number) =>
    void navigate({ search: { dialog, item }, resetScroll: false });
  const isFull = list.data !== undefined && list.data.length >= TYPES.length;
  return (
    <Page
      title="Payments"
      about="Your accounts at payment gateways: every scheduled order is charged through the one of its gateway."
      actions={
        list.data !== undefined && (
          <ActionButton
            leftSection={<Icon name="plus" size={16} />}
            whyNot={isFull ? 'The shop has one of each gateway. Change it, or remove it first.' : null}
            onClick={() => open('add')}
          >
            Add an integration
          </ActionButton>
        )
      }
    >
      <Waiting />
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={4} />}
      {list.data?.length === 0 && (
        <EmptyState
          icon="card"
          title="No payment integration yet"
          action={<Button onClick={() => open('add')}>Add the first one</Button>}
        >
          Without one nothing can be charged: orders that fall due wait for it, and go on by themselves.
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {list.data?.map((integration) => (
          <IntegrationCard
            key={integration.Id}
            integration={integration}
            onChange={() => open('change', integration.Id)}
            onRemove={() => open('remove', integration.Id)}
          />
        ))}
      </SimpleGrid>
      {list.data !== undefined && <Dialogs integrations={list.data} />}
    </Page>
  );
}

function Dialogs({ integrations }: { readonly integrations: readonly Integration[] }): ReactElement | null {
  const { dialog, item } = route.useSearch();
  const navigate = route.useNavigate();
  const close = () => void navigate({ search: {}, replace: true, resetScroll: false });
  const chosen = integrations.find(({ Id }) => Id === item);
  const free = TYPES.filter((type) => !integrations.some(({ PaymentMethodType }) => PaymentMethodType === type));
  if (dialog === 'add') {
    return free.length === 0 ? null : <IntegrationDialog integration={null} types={free} onClose={close} />;
  }
  if (chosen === undefined || dialog === undefined) return null;
  return dialog === 'change' ? (
    <IntegrationDialog integration={chosen} types={[chosen.PaymentMethodType]} onClose={close} />
  ) : (
    <RemoveDialog integration={chosen} onClose={close} />
  );
}

/** The orders that cannot be charged until an integration works. */
export function Waiting(): ReactElement | null {
  const { id: siteId } = useSite();
  const count = useQuery(orderCountQuery(siteId, { problem: 'Waiting' }));
  if (count.error !== null) return <ProblemAlert error={count.error} onRetry={() => void count.refetch()} />;
  if (count.data === undefined || count.data.Count === 0) return null;
  const { Count: orders, IsMore } = count.data;
  const words = `${IsMore ? 'more than ' : ''}${countText(orders)} ${orders === 1 ? 'scheduled order' : 'scheduled orders'}`;
  return (
    <Alert color="yellow" icon={<Icon name="clock" />} title="Orders wait for a payment integration that works">
      <PageLink
        to="/s/$siteId/scheduled-orders"
        params={{ siteId }}
        search={{ problem: 'Waiting' }}
        underline="always"
        c="inherit"
        fz="inherit"
      >
        {words}
      </PageLink>{' '}
      cannot be charged now. They go on by themselves as soon as their integration is added, corrected or verified.
    </Alert>
  );
}
