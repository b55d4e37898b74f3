import { NumberInput, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../../api/client.ts';
import { useCommand } from '../../../api/use-command.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { ProductPicker } from '../../../components/inputs/record-picker.tsx';
import { faultOf } from '../../../components/problem-alert.tsx';
import { Money } from '../../../components/values.tsx';
import { productName } from '../../../names.ts';
import type { Order } from '../../../orders/queries.ts';
import { notify } from '../../../shell/notify.ts';
import { useSite } from '../../../sites.ts';
import { useDialog } from '../use-dialog.ts';

type Item = Order['ScheduledOrderItems'][number];

interface QuantityProps {
  readonly quantity: number;
  readonly onChange: (quantity: number) => void;
  readonly error: string | null;
}

const Quantity = ({ quantity, onChange, error }: QuantityProps) => (
  <NumberInput
    label="Quantity"
    required
    min={1}
    allowDecimal={false}
    value={quantity}
    onChange={(value) => onChange(Number(value))}
    error={error}
  />
);

function useDone(message: string): () => void {
  const { close } = useDialog();
  return () => {
    void notify({ message });
    close();
  };
}

export function AddItemDialog({ order }: { readonly order: Order }): ReactElement {
  const { id: siteId } = useSite();
  const { close } = useDialog();
  const [productId, setProductId] = useState<number>();
  const [quantity, setQuantity] = useState(1);
  const adding = useCommand({
    send: (item: { ProductId: number | undefined; Quantity: number }, once) =>
      ask(
        api.POST('/api/ScheduledOrderItems', {
          params: { header: once },
          body: {
            ScheduledOrderId: order.Id,
            Quantity: item.Quantity,
            ...(item.ProductId !== undefined && { ProductId: item.ProductId }),
          },
        }),
      ),
    onDone: useDone('The item is added.'),
  });
  return (
    <FormDialog
      title={`Add an item to order ${order.Id}`}
      verb="Add"
      values={[productId, quantity]}
      isBusy={adding.isPending}
      error={adding.error}
      shownFields={['ProductId', 'Quantity']}
      onSubmit={() => adding.mutate({ ProductId: productId, Quantity: quantity })}
      onClose={close}
    >
      <ProductPicker
        label="Product"
        required
        siteId={siteId}
        value={productId}
        onChange={setProductId}
        error={faultOf(adding.error, 'ProductId')}
      />
      <Quantity quantity={quantity} onChange={setQuantity} error={faultOf(adding.error, 'Quantity')} />
      <Text size="sm" c="dimmed">
        It has the product’s price, and comes with the next occurrence.
      </Text>
    </FormDialog>
  );
}

interface ItemProps {
  readonly order: Order;
  readonly item: Item;
}

export function ChangeItemDialog({ order, item }: ItemProps): ReactElement {
  const { close } = useDialog();
  const [quantity, setQuantity] = useState(item.Quantity);
  const changing = useCommand({
    send: (Quantity: number) =>
      ask(
        api.PUT('/api/ScheduledOrderItems/{scheduledOrderItemId}', {
          params: { path: { scheduledOrderItemId: item.Id } },
          body: { Quantity },
        }),
      ),
    onDone: useDone('The quantity is changed.'),
  });
  return (
    <FormDialog
      title={`${productName(item.Product)} in order ${order.Id}`}
      verb="Save"
      values={quantity}
      isBusy={changing.isPending}
      error={changing.error}
      shownFields={['Quantity']}
      onSubmit={() => changing.mutate(quantity)}
      onClose={close}
    >
      <Text size="sm">
        Its price in this order is <Money price={item.SalePrice ?? item.Price} currency={order.CurrencyIso} />.
      </Text>
      <Quantity quantity={quantity} onChange={setQuantity} error={faultOf(changing.error, 'Quantity')} />
    </FormDialog>
  );
}

export function RemoveItemDialog({ order, item }: ItemProps): ReactElement {
  const { close } = useDialog();
  const removing = useCommand({
    send: () =>
      ask(
        api.DELETE('/api/ScheduledOrderItems/{scheduledOrderItemId}', {
          params: { path: { scheduledOrderItemId: item.Id } },
        }),
      ),
    onDone: useDone('The item is removed.'),
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={`Remove ${productName(item.Product)} from order ${order.Id}?`}
      verb="Remove"
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate(undefined)}
      onClose={close}
    >
      <Text size="sm">It does not come with this order any more. An order without items cannot be processed.</Text>
    </ConfirmDialog>
  );
}
