import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { RotateDialog, SecretDialog } from '../../components/dialogs/signing-secret.tsx';
import { notify } from '../../shell/notify.ts';
import { secretQuery } from './queries.ts';
import { usePlace } from './use-place.ts';

interface OfSite {
  readonly siteId: number;
}

/** The one that is open over the connection. */
export function ShopDialogs({ siteId }: OfSite): ReactElement | null {
  switch (usePlace().dialog) {
    case 'secret':
      return <ShopSecret siteId={siteId} />;
    case 'rotate':
      return <RotateShopSecret siteId={siteId} />;
    case 'off':
      return <SwitchOff siteId={siteId} />;
    default:
      return null;
  }
}

function ShopSecret({ siteId }: OfSite): ReactElement {
  const { close } = usePlace();
  return (
    <SecretDialog secret={useQuery(secretQuery(siteId))} onClose={close}>
      Every order that is pushed is signed with it. Keep it in the settings of the receiver, which verifies by it that
      an order is ours.
    </SecretDialog>
  );
}

function RotateShopSecret({ siteId }: OfSite): ReactElement {
  const { open, close } = usePlace();
  return (
    <RotateDialog
      send={(body, once) =>
        ask(api.POST('/api/Site/{siteId}/Shop/RotateSecret', { params: { path: { siteId }, header: once }, body }))
      }
      onDone={() => open('secret')}
      onClose={close}
    />
  );
}

function SwitchOff({ siteId }: OfSite): ReactElement {
  const { close } = usePlace();
  const switching = useCommand({
    send: () => ask(api.PUT('/api/Site/{siteId}/Shop', { params: { path: { siteId } }, body: { Push: 'Off' } })),
    onDone: () => {
      void notify({ message: 'What is charged from now on is not pushed.' });
      close();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title="Push nothing more?"
      verb="Push nothing more"
      isBusy={switching.isPending}
      error={switching.error}
      onConfirm={() => switching.mutate(undefined)}
      onClose={close}
    >
      <Text size="sm">
        Orders are charged as before. What is charged while this is off does not come into the shop, also not later: you
        have to bring it there yourself.
      </Text>
    </ConfirmDialog>
  );
}
