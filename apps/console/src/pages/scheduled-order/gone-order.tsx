import { Group, List, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Money } from '../../components/values.tsx';
import { customerName, productName } from '../../names.ts';
import type { Order } from '../../orders/queries.ts';
import { useSite } from '../../sites.ts';
import { ordersQuery } from '../scheduled-orders/query.ts';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/s/$siteId/scheduled-orders/$orderId');

/** An order that is deleted, with its story; or one that this account does not have. */
export function GoneOrder({ orderId }: { readonly orderId: number }): ReactElement {
  const { id: siteId } = useSite();
  const { cursor } = route.useSearch();
  const list = useQuery(ordersQuery(siteId, { deleted: true, q: String(orderId) }));
  const order = list.data?.rows.find(({ Id }) => Id === orderId);
  if (order === undefined) {
    return (
      <Page title={list.isPending ? `Order ${orderId}` : 'No such order'}>
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
        {list.isPending && <Loading />}
        {list.isSuccess && <NoSuchOrder siteId={siteId} />}
      </Page>
    );
  }
  const about = (
    <>
      <Status status="Deleted" /> of {customerName(order.Customer)}
      {order.Customer.Email !== null && `, ${order.Customer.Email}`}
    </>
  );
  return (
    <Page title={`Order ${orderId}`} about={about}>
      <AsItWas order={order} />
      <section aria-labelledby="story">
        <Title order={2} id="story" mb="sm">
          What happened to it
        </Title>
        <Timeline orderId={orderId} cursor={cursor} hasCycles={false} />
      </section>
    </Page>
  );
}

function AsItWas({ order }: { readonly order: Order }): ReactElement {
  const { ScheduledOrderItems: items, CurrencyIso, Total } = order;
  return (
    <Paper>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>As it was</Title>
          {items.length === 0 ? (
            <Text size="sm">It had no items.</Text>
          ) : (
            <List size="sm" mt="xs">
              {items.map(({ Id, Quantity, Product }) => (
                <List.Item key={Id}>
                  {Quantity} × {productName(Product)}
                </List.Item>
              ))}
            </List>
          )}
        </div>
        <Text fw={650}>
          <Money minor={Total} currency={CurrencyIso} />
        </Text>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        It is not charged any more, and nothing of it can be changed.
      </Text>
    </Paper>
  );
}

function NoSuchOrder({ siteId }: { readonly siteId: number }): ReactElement {
  return (
    <EmptyState
      icon="search"
      title="There is no such order in this shop"
      action={
        <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }}>
          Search the scheduled orders
        </PageLink>
      }
    >
      It does not exist, or belongs to another account or shop.
    </EmptyState>
  );
}
