import { Text, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import type { DialogProps } from './dialogs.tsx';
import { useDialog } from './use-dialog.ts';

const MINUTES = 16;

/** Another instant for the next occurrence, in UTC. */
export function RescheduleDialog({ order, explained }: DialogProps): ReactElement {
  const { close } = useDialog();
  const [at, setAt] = useState((order.NextOccurrenceUtc ?? explained.AsOfUtc).slice(0, MINUTES));
  const may = explained.MayNow.find(({ Action }) => Action === 'Reschedule');
  const moving = useCommand({
    send: (NextOccurrenceUtc: string) =>
      ask(
        api.PUT('/api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc', {
          params: { path: { scheduledOrderId: order.Id } },
          body: { NextOccurrenceUtc },
        }),
      ),
    onDone: () => {
      void notify({ message: 'Rescheduled.' });
      close();
    },
  });
  return (
    <FormDialog
      title={`Reschedule order ${order.Id}`}
      verb="Reschedule"
      isBusy={moving.isPending}
      error={moving.error}
      shownFields={['NextOccurrenceUtc']}
      onSubmit={() => moving.mutate(`${at}:00.000Z`)}
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
