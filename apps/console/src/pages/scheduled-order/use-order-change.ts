import type { UseMutationResult } from '@tanstack/react-query';
import { api, ask, type Resource } from '../../api/client.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useCommand } from '../../api/use-command.ts';
import type { Order } from '../../orders/queries.ts';
import { notify } from '../../shell/notify.ts';
import { useDialog } from './use-dialog.ts';

export type Change = Resource<'ScheduledOrderBody'>;

/** A PUT of some fields; the dialog closes when it is done. What somebody else changed meanwhile is not overwritten: 409. */
export function useOrderChange(order: Order, done: string): UseMutationResult<Order, ApiProblem, Change> {
  const { close } = useDialog();
  return useCommand({
    send: (change: Change) =>
      ask(
        api.PUT('/api/ScheduledOrders/{scheduledOrderId}', {
          params: { path: { scheduledOrderId: order.Id } },
          body: { ...change, UpdatedUtc: order.UpdatedUtc },
        }),
      ),
    onDone: () => {
      void notify({ message: done });
      close();
    },
  });
}
