import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import { type Token, tokensQuery } from './queries.ts';
import { useDialog } from './use-dialog.ts';

/** Everything that has logged in and may still act: browsers, programs, and customers' own tokens. */
export function Tokens(): ReactElement {
  const { id: siteId } = useSite();
  const { dialog, entry, cursor, open } = useDialog();
  const list = useQuery(tokensQuery(cursor));
  const session = useQuery(sessionQuery);
  const rows = list.data?.rows ?? [];
  const chosen = rows.find(({ Id }) => Id === entry);
  const ownId = session.data?.Id;
  return (
    <Stack>
      <div>
        <Title order={2}>Tokens and sessions</Title>
        <Text size="sm" c="dimmed">
          One for each log-in of a person or a program, and for each customer who manages orders in the shop. End what
          you do not know.
        </Text>
      </div>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data !== undefined && rows.length === 0 && (
        <EmptyState icon="key" title="No tokens on this page of the list">
          Those that have ended are not listed any more.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Tokens and sessions"
          rows={rows}
          keyOf={({ Id }) => Id}
          columns={columnsOf(siteId, ownId, (id) => open('revoke-token', id))}
        />
      )}
      <Pager cursor={cursor} next={list.data?.next} />
      {dialog === 'revoke-token' && chosen !== undefined && <RevokeToken token={chosen} isOwn={chosen.Id === ownId} />}
    </Stack>
  );
}

const columnsOf = (
  siteId: number,
  ownId: number | undefined,
  onRevoke: (id: number) => void,
): readonly Column<Token>[] => [
  {
    title: 'Reaches',
    cell: ({ Id, AccessScope, CustomerId: customerId }) => (
      <>
        {AccessScope === 'Merchant' || customerId === null ? (
          'The whole account'
        ) : (
          <PageLink to="/s/$siteId/customers/$customerId" params={{ siteId, customerId }}>
            Customer {customerId}
          </PageLink>
        )}{' '}
        {Id === ownId && <Status status="This browser" tone="busy" />}
      </>
    ),
  },
  { title: 'Since', cell: ({ CreatedUtc }) => <Instant at={CreatedUtc} /> },
  { title: 'Ends', isDetail: true, cell: ({ ExpiresUtc }) => <Instant at={ExpiresUtc} /> },
  {
    title: 'Action',
    cell: ({ Id }) => (
      <Button size="compact-sm" variant="default" aria-label={`End token ${Id}`} onClick={() => onRevoke(Id)}>
        End
      </Button>
    ),
  },
];

interface RevokeTokenProps {
  readonly token: Token;
  readonly isOwn: boolean;
}

function RevokeToken({ token, isOwn }: RevokeTokenProps): ReactElement {
  const { close } = useDialog();
  const navigate = useNavigate();
  const revoking = useCommand({
    send: async (accessTokenId: number) => {
      await ask(api.DELETE('/api/AccessTokens/{accessTokenId}', { params: { path: { accessTokenId } } }));
      // Nothing more can be read: a new page, so that nothing of this one is left.
      if (isOwn) await navigate({ to: '/login', reloadDocument: true });
    },
    onDone: () => {
      if (isOwn) return;
      void notify({ message: 'It is ended.' });
      close();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={isOwn ? 'End the session of this browser?' : 'End this token?'}
      verb="End it"
      isBusy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate(token.Id)}
      onClose={close}
    >
      <Text size="sm">
        {isOwn
          ? 'You have to log in again.'
          : 'Whoever uses it is refused at once, and so are all tokens that were made from it.'}{' '}
        It has existed since <Instant at={token.CreatedUtc} />.
      </Text>
    </ConfirmDialog>
  );
}
