import { Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { EmptyState } from '../../components/page.tsx';
import { productName } from '../../names.ts';
import type { Order, Quote } from '../../orders/queries.ts';
import { QuoteLines } from '../../orders/quote-lines.tsx';
import { useDialog } from './use-dialog.ts';

/** The items, and what they would cost now and why. */
export function Contents({ order, quote }: { readonly order: Order; readonly quote: Quote }): ReactElement {
  const { open } = useDialog();
  const items = order.ScheduledOrderItems;
  const nameOf = (productId: number) => {
    const item = items.find(({ ProductId }) => ProductId === productId);
    return item === undefined ? null : productName(item.Product);
  };
  return (
    <Paper>
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Items and what they cost now</Title>
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => open('add-item')}>
            Add an item
          </Button>
        </Group>
        <Problems quote={quote} />
        {items.length === 0 ? (
          <EmptyState icon="box" title="The order has no items">
            Without one it cannot be processed. Add what the customer is to receive.
          </EmptyState>
        ) : (
          <QuoteLines
            quote={quote}
            currency={order.CurrencyIso}
            nameOf={nameOf}
            actionsOf={({ ScheduledOrderItemId, ProductId }) =>
              ScheduledOrderItemId !== null && (
                <Group gap={4} wrap="nowrap">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Change the quantity of ${nameOf(ProductId)}`}
                    onClick={() => open('change-item', ScheduledOrderItemId)}
                  >
                    Quantity
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Remove ${nameOf(ProductId)}`}
                    onClick={() => open('remove-item', ScheduledOrderItemId)}
                  >
                    Remove
                  </Button>
                </Group>
              )
            }
          />
        )}
      </Stack>
    </Paper>
  );
}

function Problems({ quote: { Problems: problems } }: { readonly quote: Quote }): ReactElement | null {
  if (problems.length === 0) return null;
  return (
    <Paper className="trouble" data-tone="warning">
      <Text size="sm" fw={600}>
        What it would fail with now
      </Text>
      <List size="sm">
        {problems.map(({ Code, Message }) => (
          <List.Item key={Code}>
            {Message} ({Code})
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
