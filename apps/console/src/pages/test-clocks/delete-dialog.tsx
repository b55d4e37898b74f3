import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import type { Clock } from './queries.ts';
import { useDialog } from './use-dialog.ts';

/** Asks before a test shop is deleted with everything in it. */
export function DeleteDialog({ clock }: { readonly clock: Clock }): ReactElement {
  const { close } = useDialog();
  const { id: shownId } = useSite();
  const navigate = useNavigate();
  const deleting = useCommand({
    send: async (siteId: number) => {
      await ask(api.DELETE('/api/TestClock/{siteId}', { params: { path: { siteId } } }));
      // Before anything of it is read again: the shop that is shown is gone.
      if (siteId === shownId) await navigate({ to: '/', reloadDocument: true });
    },
    onDone: () => {
      void notify({ message: 'The test shop is deleted.' });
      close();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={`Delete ${clock.Name || 'the test shop'}?`}
      verb="Delete"
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(clock.SiteId)}
      onClose={close}
    >
      <Text size="sm">
        The test shop goes with all its customers, orders and keys. A move of its clock ends. Nothing of it is left.
        This cannot be undone.
      </Text>
    </ConfirmDialog>
  );
}
