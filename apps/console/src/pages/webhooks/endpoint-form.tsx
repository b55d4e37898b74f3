import { MultiSelect, NumberInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { changedIn, isEmpty } from '../../changed.ts';
import { FormDialog, NOTHING_CHANGED } from '../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { ASKABLE } from './event-types.ts';
import type { Endpoint } from './queries.ts';
import { usePlace } from './use-place.ts';

/** What one may say of an endpoint. */
type EndpointFields = Pick<Endpoint, 'Url' | 'Description' | 'EventTypes' | 'Payload' | 'Ordered' | 'RatePerSecond'>;

const NEW_ENDPOINT: EndpointFields = {
  Url: '',
  Description: null,
  EventTypes: [],
  Payload: 'Thin',
  Ordered: false,
  RatePerSecond: 10,
};

const FIELDS: readonly string[] = Object.keys(NEW_ENDPOINT);

interface EndpointFormProps {
  readonly fields: EndpointFields;
  readonly onChange: (fields: EndpointFields) => void;
  readonly error: unknown;
}

function EndpointForm({ fields, onChange, error }: EndpointFormProps): ReactElement {
  const set = (some: Partial<EndpointFields>) => onChange({ ...fields, ...some });
  return (
    <Stack>
      <TextInput
        label="Address"
        description="Begins with https://. It must lead to a public address."
        placeholder="https://shop.example/hooks"
        required
        data-autofocus
        value={fields.Url}
        onChange={({ currentTarget: { value } }) => set({ Url: value })}
        error={faultOf(error, 'Url')}
      />
      <TextInput
        label="Name"
        description="For people: which system it is."
        value={fields.Description ?? ''}
        onChange={({ currentTarget: { value } }) => set({ Description: value === '' ? null : value })}
        error={faultOf(error, 'Description')}
      />
      <MultiSelect
        label="Events"
        description="A name that ends in * is a whole group. None chosen: all events."
        data={[...new Set([...ASKABLE, ...fields.EventTypes])]}
        value={fields.EventTypes}
        onChange={(EventTypes) => set({ EventTypes })}
        searchable
        hidePickedOptions
        placeholder={fields.EventTypes.length === 0 ? 'All events' : ''}
        error={faultOf(error, 'EventTypes')}
      />
      <Radio.Group
        label="What a message carries"
        value={fields.Payload}
        onChange={(value) => set({ Payload: value })}
        error={faultOf(error, 'Payload')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="Thin" label="The facts of the event only, which never change" />
          <Radio value="Full" label="The scheduled order besides, as it was then" />
        </Stack>
      </Radio.Group>
      <Switch
        label="In order: an event waits for the one before of the same scheduled order"
        checked={fields.Ordered}
        onChange={({ currentTarget: { checked } }) => set({ Ordered: checked })}
        error={faultOf(error, 'Ordered')}
      />
      <NumberInput
        label="Most events a second"
        allowDecimal={false}
        clampBehavior="none"
        value={fields.RatePerSecond}
        onChange={(value) => set({ RatePerSecond: Number(value) })}
        error={faultOf(error, 'RatePerSecond')}
      />
    </Stack>
  );
}

/** Leads to the new endpoint, and shows its secret first. */
export function AddEndpoint({ siteId }: { readonly siteId: number }): ReactElement {
  const { go, close } = usePlace();
  const [fields, setFields] = useState(NEW_ENDPOINT);
  const adding = useCommand({
    send: (body: EndpointFields, once) =>
      ask(api.POST('/api/WebhookEndpoints', { params: { header: once }, body: { ...body, SiteId: siteId } })),
    onDone: ({ Id }) => go({ endpoint: Id, dialog: 'secret', failing: undefined }),
  });
  return (
    <FormDialog
      title="Add an endpoint"
      verb="Add"
      values={fields}
      isBusy={adding.isPending}
      error={adding.error}
      shownFields={FIELDS}
      onSubmit={() => adding.mutate(fields)}
      onClose={close}
    >
      <EndpointForm fields={fields} onChange={setFields} error={adding.error} />
    </FormDialog>
  );
}

const fieldsOf = ({ Url, Description, EventTypes, Payload, Ordered, RatePerSecond }: Endpoint): EndpointFields => ({
  Url,
  Description,
  EventTypes,
  Payload,
  Ordered,
  RatePerSecond,
});

export function ChangeEndpoint({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { close } = usePlace();
  const [before] = useState<EndpointFields>(() => fieldsOf(endpoint));
  const [fields, setFields] = useState(before);
  const changed = changedIn(before, fields);
  const changing = useCommand({
    send: (body: Partial<EndpointFields>) =>
      ask(
        api.PUT('/api/WebhookEndpoint/{webhookEndpointId}', {
          params: { path: { webhookEndpointId: endpoint.Id } },
          body,
        }),
      ),
    onDone: () => {
      void notify({ message: 'The endpoint is changed.' });
      close();
    },
  });
  return (
    <FormDialog
      title="Change the endpoint"
      verb="Save"
      values={fields}
      whyNot={isEmpty(changed) ? NOTHING_CHANGED : null}
      isBusy={changing.isPending}
      error={changing.error}
      shownFields={FIELDS}
      onSubmit={() => changing.mutate(changed)}
      onClose={close}
    >
      <EndpointForm fields={fields} onChange={setFields} error={changing.error} />
    </FormDialog>
  );
}
