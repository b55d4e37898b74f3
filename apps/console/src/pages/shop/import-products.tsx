import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { countText } from '../../money.ts';
import { importQuery, type ProductImport } from './queries.ts';

/** Takes over the products that the catalogue does not have yet. */
export function ImportProducts({ siteId }: { readonly siteId: number }): ReactElement {
  const latest = useQuery(importQuery(siteId));
  const beginning = useCommand<void, ProductImport>({
    send: (_, once) =>
      ask(api.POST('/api/Site/{siteId}/Shop/ImportProducts', { params: { path: { siteId }, header: once } })),
  });
  const isRunning = latest.data?.State === 'Running';
  return (
    <Paper component="section" aria-labelledby="import-products">
      <Stack>
        <div>
          <Title order={2} id="import-products">
            Products
          </Title>
          <Text size="sm" c="dimmed">
            What the shop sells and the catalogue does not have becomes a product here, each variation one of its own.
          </Text>
        </div>
        <ProblemAlert error={latest.error} onRetry={() => void latest.refetch()} />
        {latest.data != null && <HowFar siteId={siteId} latest={latest.data} />}
        {!isRunning && (
          <Group>
            <Button variant="default" loading={beginning.isPending} onClick={() => beginning.mutate()}>
              Import the products of the shop
            </Button>
          </Group>
        )}
        <ProblemAlert error={beginning.error} />
      </Stack>
    </Paper>
  );
}

interface HowFarProps {
  readonly siteId: number;
  readonly latest: ProductImport;
}

function HowFar({ siteId, latest: { State, Read, Total, Created, Message, EndedUtc } }: HowFarProps): ReactElement {
  const read = Total === null ? countText(Read) : `${countText(Read)} of ${countText(Total)}`;
  return (
    <Stack gap="xs" role="status">
      {State === 'Running' && (
        <Progress
          value={Total === null || Total === 0 ? 0 : (Read / Total) * 100}
          aria-label="Products that were read"
        />
      )}
      <Text size="sm">
        {State === 'Running' ? 'It runs: ' : 'The last time: '}
        {read} read, {countText(Created)}{' '}
        <PageLink to="/s/$siteId/products" params={{ siteId }}>
          products
        </PageLink>{' '}
        made
        {EndedUtc !== null && (
          <>
            , until <Instant at={EndedUtc} />
          </>
        )}
        .
      </Text>
      {Message !== null && <Text size="sm">{Message}</Text>}
    </Stack>
  );
}
