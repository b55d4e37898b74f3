import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { Icon } from '../../components/icon.tsx';
import { sentOf, type TextField, TextFields, type Typed, typedOf } from '../../components/inputs/text-fields.tsx';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';
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

interface Changes {
  readonly typed: Typed;
  /** The version of the product that was shown when they began. */
  readonly version: string | null;
}

const NO_CHANGES: Changes = { typed: {}, version: null };

/** Price, stock and classes. */
export function ProductForm({ product }: { readonly product: Product }): ReactElement {
  const { currency } = useSite();
  const fields = fieldsOf(currency);
  const stored = typedOf(fields, product);
  // Only what differs: the rest is as it was read last.
  const [changes, setChanges] = useState<Changes>(NO_CHANGES);
  const typed = { ...stored, ...changes.typed };
  const change = useCommand({
    send: (body: Resource<'ProductBody'>) =>
      ask(api.PUT('/api/Products/{productId}', { params: { path: { productId: product.Id } }, body })),
    onDone: () => {
      setChanges(NO_CHANGES);
      void notify({ message: 'The product is changed.' });
    },
  });
  const changeTyped = (all: Typed) =>
    setChanges(({ version }) => {
      const differing = Object.entries(all).filter(([name, value]) => value !== stored[name]);
      return differing.length === 0
        ? NO_CHANGES
        : { typed: Object.fromEntries(differing), version: version ?? product.UpdatedUtc };
    });
  const wasChanged = changes.version !== null && changes.version !== product.UpdatedUtc && !change.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const sent = Object.entries(sentOf(fields, typed));
    // Only what was changed: a text of the shop that is not shown here stays as it is.
    change.mutate(Object.fromEntries(sent.filter(([name, value]) => value !== product[name as keyof Product])));
  };
  return (
    <Paper component="section" aria-label="Price and stock">
      <LeaveGuard isChanged={changes.version !== null} record="product" />
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2}>Price and stock</Title>
          <TextFields
            fields={fields}
            typed={typed}
            onChange={changeTyped}
            faultOf={(field) => faultOf(change.error, field)}
          />
          <Text size="sm" c="dimmed">
            Orders that have the product already keep their price of it. Stock counts for all.
          </Text>
          {wasChanged && <ChangedMeanwhile />}
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

const ChangedMeanwhile = (): ReactElement => (
  <Alert color="yellow" icon={<Icon name="warning" />} title="The product was changed meanwhile" role="status">
    What you have typed is still here, and not saved. The other fields are as they are now.
  </Alert>
);
