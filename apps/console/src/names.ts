import type { Resource } from './api/client.ts';

type Named = Pick<Resource<'Customer'>, 'Id' | 'FirstName' | 'LastName' | 'Email'>;

/** What a customer is called: the name, else the e-mail address, else the number. */
export function customerName({ Id, FirstName, LastName, Email }: Named): string {
  const name = [FirstName, LastName].filter((part) => part !== null && part !== '').join(' ');
  return name || Email || `Customer ${Id}`;
}

/** What a product is called: the title, else the SKU, else the number. */
export const productName = ({ Id, Title, Sku }: Pick<Resource<'Product'>, 'Id' | 'Title' | 'Sku'>): string =>
  Title || Sku || `Product ${Id}`;
