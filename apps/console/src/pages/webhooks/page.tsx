import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { useSite } from '../../sites.ts';
import { AddEndpoint } from './endpoint-form.tsx';
import { EndpointView } from './endpoint-view.tsx';
import { Endpoints } from './endpoints.tsx';
import { usePlace } from './use-place.ts';

export function WebhooksPage(): ReactElement {
  const { id: siteId } = useSite();
  const { endpoint, failing = false, dialog, open } = usePlace();
  return (
    <Page
      title="Webhooks"
      about="Your systems are told of what happens to orders: the service calls their addresses."
      actions={
        endpoint === undefined && (
          <Button leftSection={<Icon name="plus" />} onClick={() => open('add')}>
            Add an endpoint
          </Button>
        )
      }
    >
      {endpoint === undefined ? (
        <Endpoints siteId={siteId} failing={failing} />
      ) : (
        <EndpointView key={endpoint} siteId={siteId} endpointId={endpoint} />
      )}
      {endpoint === undefined && dialog === 'add' && <AddEndpoint siteId={siteId} />}
    </Page>
  );
}
