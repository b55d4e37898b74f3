import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { changedIn, isEmpty } from '../../changed.ts';
import { FormDialog, NOTHING_CHANGED } from '../../components/dialogs/form-dialog.tsx';
import { notify } from '../../shell/notify.ts';
import { type EndpointFields, EndpointForm, FIELDS, NEW_ENDPOINT } from './endpoint-form.tsx';
import type { Endpoint } from './queries.ts';
import { usePlace } from './use-place.ts';

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
