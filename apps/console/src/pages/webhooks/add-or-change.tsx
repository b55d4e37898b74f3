import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
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

export function ChangeEndpoint({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { close } = usePlace();
  const { Url, Description, EventTypes, Payload, Ordered, RatePerSecond } = endpoint;
  const [fields, setFields] = useState<EndpointFields>({
    Url,
    Description,
    EventTypes,
    Payload,
    Ordered,
    RatePerSecond,
  });
  const changing = useCommand({
    send: (body: EndpointFields) =>
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
      isBusy={changing.isPending}
      error={changing.error}
      shownFields={FIELDS}
      onSubmit={() => changing.mutate(fields)}
      onClose={close}
    >
      <EndpointForm fields={fields} onChange={setFields} error={changing.error} />
    </FormDialog>
  );
}
