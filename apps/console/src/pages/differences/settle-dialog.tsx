import { Radio, Stack, Text, Textarea } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { kindOf } from '../../difference-kinds.ts';
import { notify } from '../../shell/notify.ts';
import type { Difference } from './queries.ts';

type Settlement = Resource<'SettleDifference'>;

const AS = {
  Resolved: 'Resolved: somebody has put it right, for example by a refund',
  Accepted: 'Accepted: it stays as it is',
} as const satisfies Record<Settlement['As'], string>;

const route = getRouteApi('/s/$siteId/differences');

/** Says what somebody made of it. What it held goes on. */
export function SettleDialog({ difference }: { readonly difference: Difference }): ReactElement {
  const { Id, Kind, ScheduledOrderId: orderId } = difference;
  const [as, setAs] = useState<Settlement['As'] | null>(null);
  const [note, setNote] = useState('');
  const navigate = route.useNavigate();
  // Back does not open a closed one again.
  const close = () =>
    void navigate({ search: (before) => ({ ...before, settle: undefined }), resetScroll: false, replace: true });
  const settling = useCommand({
    send: (body: Settlement, once) =>
      ask(
        api.POST('/api/Difference/{differenceId}/Settle', {
          params: { path: { differenceId: Id }, header: once },
          body,
        }),
      ),
    onDone: () => {
      void notify({ message: `Difference ${Id} is settled.` });
      close();
    },
  });
  return (
    <FormDialog
      title={`Settle difference ${Id}`}
      verb="Settle"
      values={[as, note]}
      whyNot={as === null ? 'Choose one.' : null}
      isBusy={settling.isPending}
      error={settling.error}
      shownFields={['Note']}
      onSubmit={() => as !== null && settling.mutate({ As: as, Note: note === '' ? null : note })}
      onClose={close}
    >
      <Text size="sm">
        {kindOf(Kind).about}{' '}
        {kindOf(Kind).holds && orderId !== null && `When nothing else holds order ${orderId}, it is charged again.`}
      </Text>
      <Radio.Group label="As what" value={as} onChange={(one) => setAs(one)}>
        <Stack gap="xs" mt="xs">
          {Object.entries(AS).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label="Note"
        description="For whoever looks at it later"
        rows={3}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        error={faultOf(settling.error, 'Note')}
      />
    </FormDialog>
  );
}
