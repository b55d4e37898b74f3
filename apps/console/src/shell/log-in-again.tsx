import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import type { Resource } from '../api/client.ts';
import { demoLogin, logIn, sessionQuery } from '../api/session.ts';
import { faultOf, ProblemAlert } from '../components/problem-alert.tsx';
import { notify } from './notify.ts';
import { setSessionLost } from './session-lost.ts';
import { leaveForGood } from './unsaved.ts';

/** What is behind is not to be read by whoever comes by. */
const OVERLAY = { blur: 12, backgroundOpacity: 0.6 };

/** The page stays for the account that it was read with, and for no other. */
function useEntering(before: Resource<'Session'> | undefined, password: string) {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: () => logIn({ Email: before?.Email ?? '', Password: password }),
    onSuccess: (session) => {
      if (session.UserId !== before?.UserId) return leaveForGood(() => location.reload());
      client.setQueryData(sessionQuery.queryKey, session);
      setSessionLost(false);
      void client.invalidateQueries();
      return notify({ title: 'Logged in again', message: 'What you typed is still here, and not saved.' });
    },
  });
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

export function LogInAgain({ addressOfLogIn }: { readonly addressOfLogIn: () => string }): ReactElement {
  const client = useQueryClient();
  const [before] = useState(() => client.getQueryData(sessionQuery.queryKey));
  const demo = demoLogin();
  const [password, setPassword] = useState(demo?.email === before?.Email ? (demo?.password ?? '') : '');
  const entering = useEntering(before, password);
  useFocusBefore();
  const leave = () => leaveForGood(() => location.assign(addressOfLogIn()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <Modal
      opened
      title="Log in to go on"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      returnFocus={false}
      overlayProps={OVERLAY}
      onClose={leave}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">The session has ended. What you typed is kept until you leave this page.</Text>
          <Text size="sm">{before?.Email}</Text>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={faultOf(entering.error, 'Password')}
          />
          <ProblemAlert error={entering.error} shownFields={['Password']} />
          <Group justify="flex-end">
            <Button variant="default" disabled={entering.isPending} onClick={leave}>
              Leave the page
            </Button>
            <Button type="submit" loading={entering.isPending}>
              Log in
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
