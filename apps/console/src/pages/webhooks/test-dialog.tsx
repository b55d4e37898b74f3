import { Alert, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { usePlace } from './use-place.ts';

/** Sends an example now, and says what the receiver answered. */
export function TestDialog({ endpointId }: { readonly endpointId: number }): ReactElement {
  const { close } = usePlace();
  const [type, setType] = useState<EventType>('scheduled_order.processed');
  const testing = useCommand({
    send: (EventType: EventType) =>
      ask(
        api.POST('/api/WebhookEndpoint/{webhookEndpointId}/Test', {
          params: { path: { webhookEndpointId: endpointId } },
          body: { EventType },
        }),
      ),
  });
  return (
    <Dialog title="Send a test" size="lg" isBusy={testing.isPending} onClose={close}>
      <Stack>
        <Text size="sm">
          A message with made-up data is sent at once. It says that it is simulated, and is not listed below.
        </Text>
        <NativeSelect
          label="Event"
          data={EVENT_TYPES}
          value={type}
          onChange={({ currentTarget: { value } }) => setType(EVENT_TYPES.find((one) => one === value) ?? type)}
        />
        <ProblemAlert error={testing.error} />
        {testing.data !== undefined && <Outcome test={testing.data} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={testing.isPending} onClick={close}>
            Close
          </Button>
          <Button loading={testing.isPending} onClick={() => testing.mutate(type)}>
            Send it
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Outcome({ test }: { readonly test: Resource<'WebhookTest'> }): ReactElement {
  const { Status, Milliseconds, Reply, Error: error } = test;
  const isGood = error === null && Status !== null && Status >= 200 && Status < 300;
  return (
    <Alert
      role="status"
      color={isGood ? 'green' : 'red'}
      icon={<Icon name={isGood ? 'check' : 'warning'} />}
      title={isGood ? 'It was received' : 'It was not received'}
    >
      <Text size="sm">
        {Status === null ? 'No answer' : `The answer was ${Status}`}, after {Milliseconds} ms.
      </Text>
      {error !== null && <Text size="sm">{error}</Text>}
      {!isGood && Status !== null && <Text size="sm">Only an answer from 200 to 299 counts as received.</Text>}
      {Reply !== null && Reply !== '' && (
        <Code block mt="xs">
          {Reply}
        </Code>
      )}
    </Alert>
  );
}
