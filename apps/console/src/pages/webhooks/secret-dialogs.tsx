import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { RotateDialog, SecretDialog } from '../../components/dialogs/signing-secret.tsx';
import { secretQuery } from './queries.ts';
import { usePlace } from './use-place.ts';

interface SecretProps {
  readonly endpointId: number;
}

/** What the receiver verifies signatures with. */
export function EndpointSecret({ endpointId }: SecretProps): ReactElement {
  const { close } = usePlace();
  return (
    <SecretDialog secret={useQuery(secretQuery(endpointId))} onClose={close}>
      Every message is signed with it. Keep it in the settings of the system that receives them: it verifies by it that
      a message is ours.
    </SecretDialog>
  );
}

/** Leads to the new secret. */
export function RotateEndpointSecret({ endpointId }: SecretProps): ReactElement {
  const { open, close } = usePlace();
  const path = { webhookEndpointId: endpointId };
  return (
    <RotateDialog
      send={(body, once) =>
        ask(api.POST('/api/WebhookEndpoint/{webhookEndpointId}/RotateSecret', { params: { path, header: once }, body }))
      }
      onDone={() => open('secret')}
      onClose={close}
    />
  );
}
