import { Button, Group, Modal, type ModalProps, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import type { Resource } from '../api/client.ts';
import { demoLogin } from '../api/session.ts';
import { faultOf, ProblemAlert } from '../components/problem-alert.tsx';

interface PasswordDialogProps extends Pick<ModalProps, 'title' | 'overlayProps' | 'closeOnEscape'> {
  readonly session: Resource<'Session'> | undefined;
  readonly words: string;
  /** What the two buttons do. */
  readonly verb: string;
  readonly otherwise: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: (password: string) => void;
  readonly onClose: () => void;
}

/** The focus goes back to where it was: another dialog may be open below. */
function useFocusBefore(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}

/** Asks the account of the page for its password, over whatever is open. */
export function PasswordDialog(props: PasswordDialogProps): ReactElement {
  const { session, words, verb, otherwise, isBusy, error, onSubmit, onClose, ...ofModal } = props;
  const demo = demoLogin();
  const [password, setPassword] = useState(demo?.email === session?.Email ? (demo?.password ?? '') : '');
  useFocusBefore();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit(password);
  };
  return (
    <Modal
      opened
      withCloseButton={false}
      closeOnClickOutside={false}
      returnFocus={false}
      onClose={onClose}
      {...ofModal}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{words}</Text>
          <Text size="sm">{session?.Email}</Text>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={faultOf(error, 'Password')}
          />
          <ProblemAlert error={error} shownFields={['Password']} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {otherwise}
            </Button>
            <Button type="submit" loading={isBusy}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
