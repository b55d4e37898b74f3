import { Button, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import type { Endpoint } from './queries.ts';
import { usePlace } from './use-place.ts';

export function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { open } = usePlace();
  const isEnabled = endpoint.Status === 'Enabled';
  return (
    <Group gap="xs" align="flex-start">
      <Button leftSection={<Icon name="send" />} onClick={() => open('test')}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => open('change')}>
        Change
      </Button>
      <Button variant="default" leftSection={<Icon name="key" />} onClick={() => open('secret')}>
        Show the secret
      </Button>
      <Button variant="default" onClick={() => open('rotate')}>
        New secret
      </Button>
      <Button variant="default" onClick={() => open('recover')}>
        Send what was missed
      </Button>
      <Button variant="default" onClick={() => open(isEnabled ? 'disable' : 'enable')}>
        {isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" c="var(--tone-bad)" onClick={() => open('delete')}>
        Delete
      </Button>
    </Group>
  );
}
