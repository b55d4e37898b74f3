import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../shell/notify.ts';
import { deleteRate, type KindName, rateQuery } from './kinds.ts';
import { placeText } from './rate-words.tsx';

const route = getRouteApi('/s/$siteId/rates');

/** Asks before a rate is deleted. */
export function RemoveRate({ kind, id }: { readonly kind: KindName; readonly id: number }): ReactElement | null {
  const navigate = route.useNavigate();
  const stored = useQuery(rateQuery(kind, id));
  const close = () => void navigate({ search: (before) => ({ ...before, remove: undefined }), resetScroll: false });
  const removing = useCommand({
    send: () => deleteRate(kind, id),
    onDone: () => {
      void notify({ message: 'The rate is deleted.' });
      close();
    },
  });
  if (stored.data === undefined) return null;
  const { rate } = stored.data;
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={`Delete ${rate.Name || `rate ${rate.Id}`}?`}
      verb="Delete"
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate(undefined)}
      onClose={close}
    >
      <Text size="sm">
        {placeText(rate)}. What falls due from now on is priced without it. Past charges still know what it was.
      </Text>
    </ConfirmDialog>
  );
}
