import { ActionIcon } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { asProblem } from '../api/problem.ts';
import { logOut } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { notify } from './notify.ts';

export function LogOut(): ReactElement {
  const client = useQueryClient();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: logOut,
    onSuccess: async () => {
      await navigate({ to: '/login' });
      client.clear();
    },
    onError: (error) => void notify({ color: 'red', title: 'Not logged out', message: asProblem(error).message }),
  });
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Log out"
      title="Log out"
      loading={leaving.isPending}
      onClick={() => leaving.mutate()}
    >
      <Icon name="leave" />
    </ActionIcon>
  );
}
