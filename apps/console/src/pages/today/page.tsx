import './today.css';
import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { useOverview } from '../../reports.ts';
import { useSite } from '../../sites.ts';
import { ChargedToday } from './charged-today.tsx';
import { DaysAround } from './days-around.tsx';
import { FigureTile } from './figure-tile.tsx';
import { figuresOf } from './figures.ts';

/** What needs attention now, what was charged today, and the days around it. */
export function TodayPage(): ReactElement {
  const { id: siteId } = useSite();
  const overview = useOverview(siteId);
  return (
    <Page
      title="Today"
      about={
        overview.data !== undefined && (
          <>
            As of <Instant at={overview.data.AsOfUtc} />
          </>
        )
      }
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="repeat" />}
          loading={overview.isRefetching}
          onClick={() => void overview.refetch()}
        >
          Refresh
        </Button>
      }
    >
      <ProblemAlert error={overview.error} onRetry={() => void overview.refetch()} />
      {overview.isPending && <Loading />}
      {overview.data !== undefined && (
        <>
          <Stack component="section" gap="xs" aria-labelledby="attention">
            <Title order={2} id="attention">
              Needs attention
            </Title>
            <Text c="dimmed" size="sm">
              Each figure leads to its list.
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
              {figuresOf(overview.data).map((figure) => (
                <FigureTile key={figure.name} siteId={siteId} figure={figure} />
              ))}
            </SimpleGrid>
          </Stack>
          <ChargedToday siteId={siteId} overview={overview.data} />
          <DaysAround siteId={siteId} asOfUtc={overview.data.AsOfUtc} />
        </>
      )}
    </Page>
  );
}
