import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { SecretValue } from '../../components/inputs/secret-value.tsx';
import { Loading } from '../../components/page.tsx';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { secretQuery } from './queries.ts';
import { usePlace } from './use-place.ts';

interface SecretProps {
  readonly endpointId: number;
}

/** What the receiver verifies signatures with. */
export function SecretDialog({ endpointId }: SecretProps): ReactElement {
  const { close } = usePlace();
  const secret = useQuery(secretQuery(endpointId));
  return (
    <Dialog title="The signing secret" size="lg" onClose={close}>
      <Stack>
        <Text size="sm">
          Every message is signed with it. Keep it in the settings of the system that receives them: it verifies by it
          that a message is ours. Show it to nobody else.
        </Text>
        <ProblemAlert error={secret.error} onRetry={() => void secret.refetch()} />
        {secret.isPending && <Loading rows={1} />}
        {secret.data?.Secret != null && <SecretValue label="Secret" value={secret.data.Secret} />}
        {secret.data?.PreviousSecret != null && (
          <Text size="sm">
            The secret before it signs as well, until <Instant at={secret.data.PreviousUntilUtc} />.
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const OVERLAPS = [
  { value: '86400', label: 'A day: time to change the receiver' },
  { value: '3600', label: 'An hour' },
  { value: '0', label: 'Not at all: the old one has leaked' },
] as const;

/** Leads to the new secret. */
export function RotateDialog({ endpointId }: SecretProps): ReactElement {
  const { open, close } = usePlace();
  const [overlap, setOverlap] = useState<string>(OVERLAPS[0].value);
  const rotating = useCommand({
    isSecret: true,
    send: (OverlapSeconds: number, once) =>
      ask(
        api.POST('/api/WebhookEndpoint/{webhookEndpointId}/RotateSecret', {
          params: { path: { webhookEndpointId: endpointId }, header: once },
          body: { OverlapSeconds },
        }),
      ),
    onDone: () => open('secret'),
  });
  return (
    <FormDialog
      title="Make a new signing secret?"
      verb="Make a new one"
      values={overlap}
      isBusy={rotating.isPending}
      error={rotating.error}
      shownFields={['OverlapSeconds']}
      onSubmit={() => rotating.mutate(Number(overlap))}
      onClose={close}
    >
      <Text size="sm">
        The receiver has to learn the new one. For some time both can sign, so that no message is refused meanwhile.
      </Text>
      <NativeSelect
        label="How long the old one signs as well"
        data={OVERLAPS}
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
        error={faultOf(rotating.error, 'OverlapSeconds')}
      />
    </FormDialog>
  );
}
