import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';
import { sentOf, type TextField, TextFields, typedOf } from '../../components/text-fields.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import type { Product } from './queries.ts';

const fieldsOf = (currency: string): readonly TextField[] => [
  { name: 'Price', label: 'Price', description: `In ${currency}`, isNumber: true },
  { name: 'SalePrice', label: 'Sale price', description: 'In place of the price', isNumber: true },
  { name: 'StockLevel', label: 'Stock', description: 'A number; or a text, such as out of stock' },
  { name: 'Availability', label: 'Availability', description: 'A text, such as discontinued' },
  { name: 'ShippingClass', label: 'Shipping class', description: 'Which shipping rates apply' },
  { name: 'TaxClass', label: 'Tax class', description: 'Which tax rates apply' },
];

/** Price, stock and classes. */
export function ProductForm({ product }: { readonly product: Product }): ReactElement {
  const { currency } = useSite();
  const fields = fieldsOf(currency);
  const [typed, setTyped] = useState(() => typedOf(fields, product));
  const change = useCommand({
    send: (body: Resource<'ProductBody'>) =>
      ask(api.PUT('/api/Products/{productId}', { params: { path: { productId: product.Id } }, body })),
    onDone: () => void notify({ message: 'The product is changed.' }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const sent = Object.entries(sentOf(fields, typed));
    // Only what was changed: a text of the shop that is not shown here stays as it is.
    change.mutate(Object.fromEntries(sent.filter(([name, value]) => value !== product[name as keyof Product])));
  };
  return (
    <Paper component="section" aria-label="Price and stock">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2}>Price and stock</Title>
          <TextFields
            fields={fields}
            typed={typed}
            onChange={setTyped}
            faultOf={(field) => faultOf(change.error, field)}
          />
          <Text size="sm" c="dimmed">
            Orders that have the product already keep their price of it. Stock counts for all.
          </Text>
          <ProblemAlert error={change.error} shownFields={fields.map(({ name }) => name)} />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
