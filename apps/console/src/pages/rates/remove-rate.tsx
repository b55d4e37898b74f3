import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { ProblemDialog } from '../../components/dialogs/dialog.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import { deleteRate, type KindName, rateQuery } from './kinds.ts';
import { placeText } from './rate-words.tsx';

const route = getRouteApi('/s/$siteId/rates');

/** Asks before a rate is deleted. */
export function RemoveRate({ kind, id }: { readonly kind: KindName; readonly id: number }): ReactElement | null {
  const { id: siteId } = useSite();
  const navigate = route.useNavigate();
  const stored = useQuery(rateQuery(kind, id));
  const close = () =>
    void navigate({ search: (before) => ({ ...before, remove: undefined }), replace: true, resetScroll: false });
  const removing = useCommand({
    send: () => deleteRate(kind, id),
    onDone: () => {
      void notify({ message: 'The rate is deleted.' });
      // Its form, too, if it was deleted there.
      void navigate({
        search: (before) => ({ ...before, remove: undefined, rate: undefined }),
        resetScroll: false,
        ignoreBlocker: true,
      });
    },
  });
  const rate = stored.data?.rate;
  if (rate === undefined && stored.error === null) return null;
  if (rate === undefined || rate.SiteId !== siteId) {
    const error = rate === undefined ? stored.error : null;
    return <ProblemDialog title="Delete a rate" error={error} onRetry={() => void stored.refetch()} onClose={close} />;
  }
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
