import { Text, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog, NOTHING_CHANGED } from '../../components/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { sentUtc, typedUtc } from '../../components/utc-input.tsx';
import { instantText } from '../../instants.ts';
import { notify } from '../../shell/notify.ts';
import type { DialogProps } from './dialogs.tsx';
import { useDialog } from './use-dialog.ts';

const written = (occurrence: string | null) => (occurrence === null ? 'none' : instantText(occurrence));

/**
 * The request names no occurrence: sent after a worker has charged the shown one, it would move the next one, and charge once more.
 * @throws ApiProblem 409 when the order does not wait for the shown one any more.
 */
async function assertStillNext(orderId: number, shown: string | null): Promise<void> {
  const params = { path: { scheduledOrderId: orderId } };
  const [order, explained] = await Promise.all([
    ask(api.GET('/api/ScheduledOrders/{scheduledOrderId}', { params })),
    ask(api.GET('/api/ScheduledOrders/{scheduledOrderId}/Explain', { params })),
  ]);
  const is = order.NextOccurrenceUtc ?? null;
  const nothing = 'Nothing was moved.';
  if (is !== shown) {
    const what = `The next occurrence was ${written(shown)} when this was opened, and is ${written(is)} now.`;
    throw new ApiProblem(409, 'Conflict', `${what} ${nothing}`);
  }
  if (explained.When.Reason === 'InProgress')
    throw new ApiProblem(409, 'Conflict', `A worker is processing the occurrence of ${written(is)}. ${nothing}`);
}

function useMoving(orderId: number, shown: string | null) {
  const { close } = useDialog();
  return useCommand({
    send: async (NextOccurrenceUtc: string) => {
      await assertStillNext(orderId, shown);
      return ask(
        api.PUT('/api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc', {
          params: { path: { scheduledOrderId: orderId } },
          body: { NextOccurrenceUtc },
        }),
      );
    },
    onDone: () => {
      void notify({ message: 'Rescheduled.' });
      close();
    },
  });
}

/** Another instant for the next occurrence, in UTC. */
export function RescheduleDialog(present: DialogProps): ReactElement {
  // As they were when it was opened: what is typed is of that occurrence.
  const [{ order, explained }] = useState(present);
  const { close } = useDialog();
  const shown = order.NextOccurrenceUtc ?? null;
  const [at, setAt] = useState(typedUtc(shown ?? explained.AsOfUtc));
  const may = explained.MayNow.find(({ Action }) => Action === 'Reschedule');
  const moving = useMoving(order.Id, shown);
  // Seconds are not typed: what is unchanged would lose those that it has.
  const isUnchanged = shown !== null && at === typedUtc(shown);
  return (
    <FormDialog
      title={`Reschedule order ${order.Id}`}
      verb="Reschedule"
      values={at}
      whyNot={isUnchanged ? NOTHING_CHANGED : null}
      isOfVersion
      isBusy={moving.isPending}
      error={moving.error}
      shownFields={['NextOccurrenceUtc']}
      onSubmit={() => moving.mutate(sentUtc(at))}
      onClose={close}
    >
      {may !== undefined && <Text size="sm">{may.Because}</Text>}
      <TextInput
        type="datetime-local"
        label="Next occurrence, in UTC"
        description="One in the past makes the order due at once"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        value={at}
        onChange={({ currentTarget }) => setAt(currentTarget.value)}
        error={faultOf(moving.error, 'NextOccurrenceUtc')}
      />
    </FormDialog>
  );
}
