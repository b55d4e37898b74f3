import { Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { countText } from '../../money.ts';
import { productName } from '../../names.ts';
import { useSite } from '../../sites.ts';
import { OrderTable } from '../scheduled-orders/order-table.tsx';
import { orderCountQuery, ordersQuery } from '../scheduled-orders/query.ts';
import { Ahead } from './ahead.tsx';
import { ProductForm } from './product-form.tsx';
import { type Product, productQuery } from './queries.ts';

const route = getRouteApi('/s/$siteId/products');

/** One product: its price and stock, what it will be needed for, and the orders with it. */
export function ProductPage({ productId }: { readonly productId: number }): ReactElement {
  const { id: siteId } = useSite();
  const product = useQuery(productQuery(productId));
  const isGone = product.error instanceof ApiProblem && [403, 404].includes(product.error.status);
  if (isGone || (product.data !== undefined && product.data.SiteId !== siteId)) return <NoSuchProduct />;
  if (product.data === undefined) {
    return (
      <Page title="Product">
        <ProblemAlert error={product.error} onRetry={() => void product.refetch()} />
        {product.error === null && <Loading rows={8} />}
      </Page>
    );
  }
  return <ShownProduct product={product.data} />;
}

const AllProducts = () => {
  const { id: siteId } = useSite();
  const { q, sort, cursor } = route.useSearch();
  return (
    <PageLink to="/s/$siteId/products" params={{ siteId }} search={{ q, sort, cursor }} size="sm">
      All products
    </PageLink>
  );
};

function ShownProduct({ product }: { readonly product: Product }): ReactElement {
  return (
    <Page
      title={productName(product)}
      about={
        <Group gap="sm">
          <AllProducts />
          {product.Sku !== null && <Text size="sm">SKU {product.Sku}</Text>}
          {product.ExternalId !== null && <Text size="sm">Id in the shop: {product.ExternalId}</Text>}
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ProductForm key={product.Id} product={product} />
        <Ahead product={product} />
      </SimpleGrid>
      <OrdersWith product={product} />
    </Page>
  );
}

const NoSuchProduct = () => (
  <Page title="No such product">
    <EmptyState icon="box" title="This product is not here" action={<AllProducts />}>
      It was deleted, is of another shop, or never was one of this account.
    </EmptyState>
  </Page>
);

const SHOWN = 10;

/** The orders that have the product, those first that are due first. */
function OrdersWith({ product }: { readonly product: Product }): ReactElement {
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
