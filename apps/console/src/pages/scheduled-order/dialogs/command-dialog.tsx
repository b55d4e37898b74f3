import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../../api/client.ts';
import { type Once, useCommand } from '../../../api/use-command.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { Money } from '../../../components/values.tsx';
import type { Explained, Order } from '../../../orders/queries.ts';
import { notify } from '../../../shell/notify.ts';
import type { DialogName } from '../search.ts';
import { useDialog } from '../use-dialog.ts';

export type CommandName = Extract<
  DialogName,
  'skip' | 'process' | 'pause' | 'activate' | 'cancel' | 'reactivate' | 'delete'
>;

const WORDS = {
  skip: {
    title: (id: number) => `Skip the next one of order ${id}?`,
    verb: 'Skip it',
    done: 'Skipped.',
    action: 'Skip',
  },
  process: {
    title: (id: number) => `Process order ${id} now?`,
    verb: 'Process now',
    done: 'A worker takes it up now.',
    action: 'Process',
  },
  pause: { title: (id: number) => `Pause order ${id}?`, verb: 'Pause', done: 'The order is paused.', action: 'Pause' },
  activate: {
    title: (id: number) => `Activate order ${id}?`,
    verb: 'Activate',
    done: 'The order is active.',
    action: 'Activate',
  },
  cancel: {
    title: (id: number) => `Cancel order ${id} for good?`,
    verb: 'Cancel the order',
    done: 'The order is cancelled.',
    action: 'Cancel',
  },
  reactivate: {
    title: (id: number) => `Take the cancellation of order ${id} back?`,
    verb: 'Take it back',
    done: 'The order is Paused.',
    action: 'Reactivate',
  },
  delete: { title: (id: number) => `Delete order ${id}?`, verb: 'Delete', done: 'The order is deleted.', action: null },
} as const;

interface Present {
  readonly order: Order;
  readonly explained: Explained;
}

interface CommandDialogProps extends Present {
  readonly command: CommandName;
}

/** Asks before an action, in the words in which the API says what would come of it. */
export function CommandDialog({ command, ...present }: CommandDialogProps): ReactElement {
  // What was to be done when it was opened. Read again after a lost answer, the order has another next occurrence
  // already: a second press would be another request, and skip or charge that one, too.
  const [expected] = useState(present.order.NextOccurrenceUtc);
  const [pressed, setPressed] = useState<Present | null>(null);
  const { order, explained } = pressed ?? present;
  const { close } = useDialog();
  const { title, verb, done, action } = WORDS[command];
  const may = explained.MayNow.find(({ Action }) => Action === action);
  const isPossible = may?.Allowed !== false;
  const route = getRouteApi('/s/$siteId/scheduled-orders/$orderId');
  const navigate = route.useNavigate();
  const doing = useCommand({
    // What was read stands in the request, so that two people who press the same button skip or charge once.
    send: (occurrence: string | null, once) => send(command, order, occurrence, once),
    onDone: () => {
      void notify({ message: done });
      if (command === 'delete') void navigate({ search: {}, replace: true });
      else close();
    },
  });
  const confirm = () => {
    setPressed({ order, explained });
    doing.mutate(expected);
  };
  return (
    <ConfirmDialog
      isOpen
      title={title(order.Id)}
      verb={verb}
      isDangerous={command === 'delete' || command === 'cancel'}
      isOfVersion
      isBusy={doing.isPending}
      error={doing.error}
      onConfirm={isPossible ? confirm : null}
      onClose={close}
    >
      <Text size="sm">
        {may?.Because ?? 'It is not charged any more. This cannot be undone; its story stays readable.'}
      </Text>
      {command === 'process' && isPossible && (
        <Text size="sm" mt="xs">
          Amount now: <Money minor={explained.HowMuch.Total} currency={order.CurrencyIso} />.{' '}
          {explained.WithWhat.Sentence}
        </Text>
      )}
    </ConfirmDialog>
  );
}

function send(command: CommandName, { Id }: Order, expected: string | null, once: Once): Promise<unknown> {
  const path = { scheduledOrderId: Id };
  const body = { ExpectedNextOccurrenceUtc: expected };
  switch (command) {
    case 'skip':
      return ask(api.POST('/api/ScheduledOrders/{scheduledOrderId}/Skip', { params: { path, header: once }, body }));
    case 'process':
      return ask(api.POST('/api/ScheduledOrders/{scheduledOrderId}/Process', { params: { path, header: once }, body }));
    case 'pause':
      return ask(api.PUT('/api/ScheduledOrders/{scheduledOrderId}', { params: { path }, body: { Status: 'Paused' } }));
    case 'activate':
      return ask(api.PUT('/api/ScheduledOrders/{scheduledOrderId}', { params: { path }, body: { Status: 'Active' } }));
    case 'cancel':
      return ask(api.POST('/api/ScheduledOrders/{scheduledOrderId}/Cancel', { params: { path, header: once } }));
    case 'reactivate':
      return ask(api.POST('/api/ScheduledOrders/{scheduledOrderId}/Reactivate', { params: { path, header: once } }));
    case 'delete':
      return ask(api.DELETE('/api/ScheduledOrders/{scheduledOrderId}', { params: { path } }));
  }
}
