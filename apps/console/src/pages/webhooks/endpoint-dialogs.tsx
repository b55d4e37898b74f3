import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notify } from '../../shell/notify.ts';
import { ChangeEndpoint } from './endpoint-form.tsx';
import type { Endpoint } from './queries.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { EndpointSecret, RotateEndpointSecret } from './secret-dialogs.tsx';
import { TestDialog } from './test-dialog.tsx';
import { usePlace } from './use-place.ts';

interface DialogProps {
  readonly endpoint: Endpoint;
}

/** The one that is open. */
export function EndpointDialogs({ endpoint }: DialogProps): ReactElement | null {
  const { dialog } = usePlace();
  switch (dialog) {
    case 'change':
      return <ChangeEndpoint endpoint={endpoint} />;
    case 'secret':
      return <EndpointSecret endpointId={endpoint.Id} />;
    case 'rotate':
      return <RotateEndpointSecret endpointId={endpoint.Id} />;
    case 'test':
      return <TestDialog endpointId={endpoint.Id} />;
    case 'recover':
      return <RecoverDialog endpoint={endpoint} />;
    case 'disable':
      return <SwitchDialog endpoint={endpoint} to="Disabled" />;
    case 'enable':
      return <SwitchDialog endpoint={endpoint} to="Enabled" />;
    case 'delete':
      return <DeleteDialog endpoint={endpoint} />;
    default:
      return null;
  }
}

const WORDS = {
  Disabled: {
    title: 'Disable the endpoint?',
    verb: 'Disable',
    done: 'The endpoint is disabled.',
    then: 'Nothing is sent to it until it is enabled again. What happens meanwhile can be sent afterwards: “Send what was missed”.',
  },
  Enabled: {
    title: 'Enable the endpoint?',
    verb: 'Enable',
    done: 'The endpoint is enabled.',
    then: 'Earlier failures are forgotten, and what has waited is sent at its next try. What happened while it was disabled is sent only by “Send what was missed”.',
  },
} as const;

function SwitchDialog({ endpoint, to }: DialogProps & { readonly to: Endpoint['Status'] }): ReactElement {
  const { close } = usePlace();
  const { title, verb, done, then } = WORDS[to];
  const switching = useCommand({
    send: (Status: Endpoint['Status']) =>
      ask(
        api.PUT('/api/WebhookEndpoint/{webhookEndpointId}', {
          params: { path: { webhookEndpointId: endpoint.Id } },
          body: { Status },
        }),
      ),
    onDone: () => {
      void notify({ message: done });
      close();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={title}
      verb={verb}
      isBusy={switching.isPending}
      error={switching.error}
      onConfirm={() => switching.mutate(to)}
      onClose={close}
    >
      <Text size="sm">{then}</Text>
    </ConfirmDialog>
  );
}

function DeleteDialog({ endpoint }: DialogProps): ReactElement {
  const { close, leave } = usePlace();
  const deleting = useCommand({
    send: () =>
      ask(
        api.DELETE('/api/WebhookEndpoint/{webhookEndpointId}', {
          params: { path: { webhookEndpointId: endpoint.Id } },
        }),
      ),
    onDone: () => {
      void notify({ message: 'The endpoint is deleted.' });
      leave();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title="Delete the endpoint?"
      verb="Delete"
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(undefined)}
      onClose={close}
    >
      <Text size="sm">
        Nothing more is sent to it, also not what waits. This cannot be undone. To stop for a while, disable it.
      </Text>
    </ConfirmDialog>
  );
}
