import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { EmptyState, Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { notify } from '../../shell/notify.ts';
import { type KnownSite, sitesQuery } from '../../sites.ts';
import { type ApiKey, keysQuery } from './queries.ts';
import { useDialog } from './use-dialog.ts';

/** The account's API keys. Their values are shown to nobody any more. */
export function ApiKeys(): ReactElement {
  const { dialog, entry, open } = useDialog();
  const list = useQuery(keysQuery);
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const chosen = list.data?.find(({ Id }) => Id === entry);
  return (
    <Stack>
      <Title order={2}>API keys</Title>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (
        <EmptyState
          icon="key"
          title="No API keys yet"
          action={<Button onClick={() => open('make')}>Make the first one</Button>}
        >
          A key lets a system of yours call the API: for the shops that you choose, to change or to read only. Unlike a
          password it can be ended alone.
        </EmptyState>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <DataTable
          label="API keys"
          rows={list.data}
          keyOf={({ Id }) => Id}
          columns={columnsOf(sites, (id) => open('delete-key', id))}
        />
      )}
      {dialog === 'delete-key' && chosen !== undefined && <DeleteKey apiKey={chosen} />}
    </Stack>
  );
}

export const ACCESS_WORDS: Readonly<Record<ApiKey['Access'], string>> = {
  Full: 'Reads and changes',
  Read: 'Reads only',
};

const columnsOf = (sites: readonly KnownSite[], onDelete: (id: number) => void): readonly Column<ApiKey>[] => [
  { title: 'Name', cell: ({ Name }) => Name },
  { title: 'Access', cell: ({ Access }) => ACCESS_WORDS[Access] },
  {
    title: 'Shops',
    cell: ({ SiteIds }) => SiteIds.map((id) => sites.find((site) => site.id === id)?.name ?? `Shop ${id}`).join(', '),
  },
  {
    title: 'Last used',
    cell: ({ LastUsedUtc }) => (LastUsedUtc === null ? 'Never' : <Instant at={LastUsedUtc} />),
  },
  {
    title: 'Works until',
    isDetail: true,
    cell: ({ ExpiresUtc }) => (ExpiresUtc === null ? 'Without end' : <Instant at={ExpiresUtc} />),
  },
  { title: 'Made', isDetail: true, cell: ({ CreatedUtc }) => <Instant at={CreatedUtc} /> },
  {
    title: 'Action',
    cell: ({ Id, Name }) => (
      <Button size="compact-sm" variant="default" aria-label={`End the key ${Name}`} onClick={() => onDelete(Id)}>
        End
      </Button>
    ),
  },
];

function DeleteKey({ apiKey }: { readonly apiKey: ApiKey }): ReactElement {
  const { close } = useDialog();
  const deleting = useCommand({
    send: (apiKeyId: number) => ask(api.DELETE('/api/ApiKey/{apiKeyId}', { params: { path: { apiKeyId } } })),
    onDone: () => {
      void notify({ message: 'The key is ended.' });
      close();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={`End the key “${apiKey.Name}”?`}
      verb="End it"
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(apiKey.Id)}
      onClose={close}
    >
      <Text size="sm">
        Whatever uses it is refused at once, and so are all tokens that were made with it. This cannot be undone.
      </Text>
      <Text size="sm" mt="xs">
        Last used: {apiKey.LastUsedUtc === null ? 'never' : <Instant at={apiKey.LastUsedUtc} />}
      </Text>
    </ConfirmDialog>
  );
}
