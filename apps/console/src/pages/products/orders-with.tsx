import { Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { countText } from '../../money.ts';
import { useSite } from '../../sites.ts';
import { OrderTable } from '../scheduled-orders/order-table.tsx';
import { orderCountQuery, ordersQuery } from '../scheduled-orders/query.ts';
import type { Product } from './queries.ts';

const SHOWN = 10;

/** The orders that have the product, those first that are due first. */
export function OrdersWith({ product }: { readonly product: Product }): ReactElement {
  const { id: siteId } = useSite();
  const filters = { productId: product.Id, sort: 'NextOccurrenceUtc' as const };
  const list = useQuery(ordersQuery(siteId, filters, SHOWN));
  const count = useQuery(orderCountQuery(siteId, { productId: product.Id }));
  const rows = list.data?.rows ?? [];
  return (
    <section aria-labelledby="orders-with">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="orders-with">
          Orders with it
        </Title>
        {count.data !== undefined && count.data.Count > 0 && (
          <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={filters} size="sm">
            {count.data.IsMore ? `More than ${countText(count.data.Count)}` : `All ${countText(count.data.Count)}`}
          </PageLink>
        )}
      </Group>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={3} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon="repeat" title="No scheduled order has it">
          As soon as a customer subscribes to it, the order is listed here.
        </EmptyState>
      )}
      {rows.length > 0 && <OrderTable siteId={siteId} rows={rows} isDeleted={false} isStale={list.isPlaceholderData} />}
    </section>
  );
}
