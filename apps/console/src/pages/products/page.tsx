import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ProductPage } from './product.tsx';
import { ProductList } from './product-list.tsx';

const route = getRouteApi('/s/$siteId/products');

/** All products, or the one in the address. */
export function ProductsPage(): ReactElement {
  const { product } = route.useSearch();
  return product === undefined ? <ProductList /> : <ProductPage key={product} productId={product} />;
}
