import { Text, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../../api/client.ts';
import { useCommand } from '../../../api/use-command.ts';
import { FormDialog, NOTHING_CHANGED } from '../../../components/dialogs/form-dialog.tsx';
import { sentUtc, typedUtc } from '../../../components/inputs/utc-inputs.tsx';
import { faultOf } from '../../../components/problem-alert.tsx';
import { notify } from '../../../shell/notify.ts';
import { type DialogProps, useDialog } from '../use-dialog.ts';

interface Move {
  readonly NextOccurrenceUtc: string;
  readonly ExpectedNextOccurrenceUtc?: string | null;
}

function useMoving(orderId: number) {
  const { close } = useDialog();
  return useCommand({
    send: (body: Move) =>
      ask(
        api.PUT('/api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc', {
          params: { path: { scheduledOrderId: orderId } },
          body,
        }),
      ),
    onDone: () => {
      void notify({ message: 'Rescheduled.' });
      close();
    },
  });
}

/**
 * While one of these is the reason, what is shown as next is in progress: the occurrence after it moves, which the API
 * names in its own words.
 */
const IN_PROGRESS: readonly string[] = ['InProgress', 'Unknown'];

/** Another instant for the next occurrence, in UTC. */
export function RescheduleDialog(present: DialogProps): ReactElement {
  // As they were when it was opened: what is typed is of that occurrence.
  const [{ order, explained }] = useState(present);
  const { close } = useDialog();
  const shown = order.NextOccurrenceUtc ?? null;
  const [at, setAt] = useState(typedUtc(shown ?? explained.AsOfUtc));
  const may = explained.MayNow.find(({ Action }) => Action === 'Reschedule');
  const moving = useMoving(order.Id);
  const expected = IN_PROGRESS.includes(explained.When.Reason) ? {} : { ExpectedNextOccurrenceUtc: shown };
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
      onSubmit={() => moving.mutate({ NextOccurrenceUtc: sentUtc(at), ...expected })}
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
