import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { ADDRESS_FIELDS, RECEIVER_FIELDS, type Values, valuesOf } from './fields.ts';
import { ImportProducts } from './import-products.tsx';
import { shopQuery, siteQuery } from './queries.ts';
import { RecordForm } from './record-form.tsx';
import { ShopDialogs } from './shop-dialogs.tsx';
import { ShopState } from './shop-state.tsx';
import { usePlace } from './use-place.ts';
import { Verify } from './verify.tsx';

/** How the shop stands, and the three steps that connect it. */
export function Connection({ siteId }: { readonly siteId: number }): ReactElement {
  const router = useRouter();
  const site = useQuery(siteQuery(siteId));
  const shop = useQuery(shopQuery(siteId));
  if (site.data === undefined || shop.data === undefined) {
    const error = site.error ?? shop.error;
    const readAgain = () => void Promise.all([site.refetch(), shop.refetch()]);
    return error === null ? <Loading rows={8} /> : <ProblemAlert error={error} onRetry={readAgain} />;
  }
  const params = { path: { siteId } };
  return (
    <Stack gap="lg">
      <ShopState siteId={siteId} shop={shop.data} />
      <RecordForm
        title="1. Address and keys"
        about="Where the shop is, and what it knows the service by."
        groups={[{ fields: ADDRESS_FIELDS }]}
        stored={valuesOf(ADDRESS_FIELDS, site.data)}
        save={(changes: Values) => ask(api.PUT('/api/Site/{siteId}', { params, body: changes }))}
        done="Address and keys are saved. Verify them."
        onSaved={() => void router.invalidate()}
      />
      <RecordForm
        title="2. Receiver"
        about="What takes the charged orders there, and who decides what."
        groups={[{ fields: RECEIVER_FIELDS }]}
        stored={valuesOf(RECEIVER_FIELDS, shop.data)}
        save={(changes: Values) => ask(api.PUT('/api/Site/{siteId}/Shop', { params, body: changes }))}
        done="The receiver is saved. Verify it."
      />
      {shop.data.Receiver === 'Http' && <Secret siteId={siteId} />}
      <Verify siteId={siteId} shop={shop.data} />
      {shop.data.Receiver === 'WooCommerceRest' && shop.data.State === 'Ready' && <ImportProducts siteId={siteId} />}
      <ShopDialogs siteId={siteId} />
    </Stack>
  );
}

function Secret({ siteId }: { readonly siteId: number }): ReactElement {
  const { open } = usePlace();
  // Also the first write of a shop whose settings are the proposed ones: with it the secret is made.
  const making = useCommand({
    send: () =>
      ask(api.PUT('/api/Site/{siteId}/Shop', { params: { path: { siteId } }, body: { Receiver: 'Http' as const } })),
    onDone: () => open('secret'),
  });
  return (
    <Group gap="xs">
      <Text size="sm">What is sent to the receiver is signed. It needs the secret:</Text>
      <Button
        variant="default"
        leftSection={<Icon name="key" />}
        loading={making.isPending}
        onClick={() => making.mutate(undefined)}
      >
        Show the secret
      </Button>
      <Button variant="default" onClick={() => open('rotate')}>
        New secret
      </Button>
      <ProblemAlert error={making.error} />
    </Group>
  );
}
