import { ActionIcon, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { asProblem } from '../api/problem.ts';
import { logOut } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';

export function LogOut(): ReactElement {
  const client = useQueryClient();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: logOut,
    onSuccess: async () => {
      await navigate({ to: '/login' });
      client.clear();
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Not logged out', message: asProblem(error).message }),
  });
  return (
    <Tooltip label="Log out">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Log out"
        loading={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        <Icon name="leave" />
      </ActionIcon>
    </Tooltip>
  );
}
