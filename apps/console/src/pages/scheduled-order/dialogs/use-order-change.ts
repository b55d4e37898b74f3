import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, type Resource } from '../../../api/client.ts';
import type { ApiProblem } from '../../../api/problem.ts';
import { useCommand } from '../../../api/use-command.ts';
import type { Order } from '../../../orders/queries.ts';
import { notify } from '../../../shell/notify.ts';
import { useDialog } from '../use-dialog.ts';

export type Change = Resource<'ScheduledOrderBody'>;

/**
 * A PUT of some fields; the dialog closes when it is done. What somebody else changed since it was opened is not
 * overwritten: 409.
 */
export function useOrderChange(order: Order, done: string): UseMutationResult<Order, ApiProblem, Change> {
  const { close } = useDialog();
  // The fields of the dialog are of this version, however often the order is read again behind it.
  const [version] = useState(order.UpdatedUtc);
  return useCommand({
    send: (change: Change) =>
      ask(
        api.PUT('/api/ScheduledOrders/{scheduledOrderId}', {
          params: { path: { scheduledOrderId: order.Id } },
          body: { ...change, UpdatedUtc: version },
        }),
      ),
    onDone: () => {
      void notify({ message: done });
      close();
    },
  });
}
