import { ActionIcon } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { asProblem } from '../api/problem.ts';
import { logOut, sessionQuery } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { notify } from './notify.ts';
import { leaveForGood } from './unsaved.ts';

export function LogOut(): ReactElement {
  const { buildLocation } = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const leaving = useMutation({
    mutationFn: logOut,
    // The page is loaded anew, so that nothing of this session is left in its memory.
    onSuccess: () => leaveForGood(() => location.assign(buildLocation({ to: '/login' }).publicHref)),
    onError: (error) => void notify({ color: 'red', title: 'Not logged out', message: asProblem(error).message }),
  });
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Log out"
      title={session === undefined ? 'Log out' : `Log out ${session.Email}`}
      loading={leaving.isPending}
      onClick={() => leaving.mutate()}
    >
      <Icon name="leave" />
    </ActionIcon>
  );
}
