import { Radio, Stack, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { sentUtc, typedUtc, UtcInput } from '../../components/inputs/utc-inputs.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import type { Endpoint } from './queries.ts';
import { usePlace } from './use-place.ts';

type Recovery = Resource<'RecoverWebhooks'>;

const WHICH = {
  Failed: 'Those of which all tries failed',
  NotSent: 'Those that were never sent to this endpoint: it was disabled, or not made yet',
  All: 'All, also those that were delivered',
} as const satisfies Record<Recovery['Which'], string>;

/** Sends what was missed. */
export function RecoverDialog({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { go } = usePlace();
  const [which, setWhich] = useState<Recovery['Which']>('Failed');
  const [since, setSince] = useState(typedUtc(endpoint.FailingSinceUtc));
  const [until, setUntil] = useState('');
  const close = () => go({ dialog: undefined });
  const recovering = useCommand({
    send: (body: Recovery, once) =>
      ask(
        api.POST('/api/WebhookEndpoint/{webhookEndpointId}/Recover', {
          params: { path: { webhookEndpointId: endpoint.Id }, header: once },
          body,
        }),
      ),
    onDone: ({ Deliveries }) => {
      void notify({ message: `${Deliveries} ${Deliveries === 1 ? 'event is' : 'events are'} sent now.` });
      go({ dialog: undefined, state: undefined, cursor: undefined });
    },
  });
  const { error } = recovering;
  const body = { Which: which, SinceUtc: sentUtc(since), UntilUtc: until === '' ? null : sentUtc(until) };
  return (
    <FormDialog
      title="Send what was missed"
      verb="Send them"
      values={[which, since, until]}
      isBusy={recovering.isPending}
      error={error}
      shownFields={['Which', 'SinceUtc', 'UntilUtc']}
      onSubmit={() => recovering.mutate(body)}
      onClose={close}
    >
      <Text size="sm">Each has the id that it had before, so that a receiver that knows it can leave it out.</Text>
      <Radio.Group label="Which events" value={which} onChange={(one) => setWhich(one)}>
        <Stack gap="xs" mt="xs">
          {Object.entries(WHICH).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <UtcInput label="From, in UTC" required value={since} onChange={setSince} error={faultOf(error, 'SinceUtc')} />
      <UtcInput
        label="Until, in UTC"
        description="Empty: until now."
        value={until}
        onChange={setUntil}
        error={faultOf(error, 'UntilUtc')}
      />
    </FormDialog>
  );
}
