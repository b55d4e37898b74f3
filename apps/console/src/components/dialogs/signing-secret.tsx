import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { type Once, useCommand } from '../../api/use-command.ts';
import { SecretValue } from '../inputs/secret-value.tsx';
import { Loading } from '../page.tsx';
import { faultOf, ProblemAlert } from '../problem-alert.tsx';
import { Instant } from '../values.tsx';
import { Dialog } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';

interface Secret {
  readonly Secret: string | null;
  readonly PreviousSecret: string | null;
  readonly PreviousUntilUtc: string | null;
}

interface SecretDialogProps {
  /** Not kept longer than it is shown. */
  readonly secret: UseQueryResult<Secret>;
  /** What it is for. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** What a receiver of ours verifies signatures with. */
export function SecretDialog({ secret, children, onClose }: SecretDialogProps): ReactElement {
  return (
    <Dialog title="The signing secret" size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">{children} Show it to nobody else.</Text>
        <ProblemAlert error={secret.error} onRetry={() => void secret.refetch()} />
        {secret.isPending && <Loading rows={1} />}
        {secret.data?.Secret != null && <SecretValue label="Secret" value={secret.data.Secret} />}
        {secret.data?.PreviousSecret != null && (
          <Text size="sm">
            The secret before it signs as well, until <Instant at={secret.data.PreviousUntilUtc} />.
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
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

interface RotateDialogProps {
  readonly send: (body: { readonly OverlapSeconds: number }, once: Once) => Promise<unknown>;
  /** Leads to the new secret. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RotateDialog({ send, onDone, onClose }: RotateDialogProps): ReactElement {
  const [overlap, setOverlap] = useState<string>(OVERLAPS[0].value);
  const rotating = useCommand({ isSecret: true, send, onDone });
  return (
    <FormDialog
      title="Make a new signing secret?"
      verb="Make a new one"
      values={overlap}
      isBusy={rotating.isPending}
      error={rotating.error}
      shownFields={['OverlapSeconds']}
      onSubmit={() => rotating.mutate({ OverlapSeconds: Number(overlap) })}
      onClose={onClose}
    >
      <Text size="sm">
        The receiver has to learn the new one. For some time both can sign, so that nothing is refused meanwhile.
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
