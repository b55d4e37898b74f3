import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { DataTable } from '../../components/lists/data-table.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { countText } from '../../money.ts';
import { reasonOf } from '../../reasons.ts';
import { orderCountQuery } from '../scheduled-orders/query.ts';
import { type Problem, PROBLEM_STATES, PROBLEMS } from '../scheduled-orders/search.ts';
import { STATE_WORDS } from './state-words.ts';

interface ReasonsProps {
  readonly siteId: number;
  readonly chosen: Problem | undefined;
}

const isState = ({ problem }: ProblemCount) => (PROBLEM_STATES as readonly string[]).includes(problem);

/** How many orders there are of each kind; every number opens its list. */
export function Reasons({ siteId, chosen }: ReasonsProps): ReactElement {
  const { counts, isPending, error, refetch } = useProblemCounts(siteId);
  const reasons = counts.filter((one) => !isState(one) && (one.count !== 0 || one.problem === chosen));
  return (
    <>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      <section aria-labelledby="states">
        <Title order={2} id="states" mb="sm">
          What comes of them
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {counts.filter(isState).map((one) => (
            <StateCard key={one.problem} siteId={siteId} one={one} isChosen={one.problem === chosen} />
          ))}
        </SimpleGrid>
      </section>
      <section aria-labelledby="reasons">
        <Title order={2} id="reasons" mb="sm">
          Why
        </Title>
        {isPending ? (
          <Loading />
        ) : reasons.length === 0 && error === null ? (
          <EmptyState icon="check" title="Nothing has failed">
            Orders whose newest occurrence could not be charged are counted here, by reason.
          </EmptyState>
        ) : (
          <ReasonTable siteId={siteId} reasons={reasons} chosen={chosen} />
        )}
      </section>
    </>
  );
}

interface CountProps {
  readonly siteId: number;
  readonly one: ProblemCount;
  readonly isChosen: boolean;
}

function CountLink({ siteId, one: { problem, count, isMore }, isChosen }: CountProps): ReactElement {
  const words = count === undefined ? '…' : `${isMore ? 'more than ' : ''}${countText(count)}`;
  return (
    <PageLink
      to="/s/$siteId/failures"
      params={{ siteId }}
      search={{ problem }}
      hash="orders"
      fw={650}
      {...(isChosen && { 'aria-current': 'true' as const })}
    >
      {words} {count === 1 ? 'order' : 'orders'}
    </PageLink>
  );
}

function StateCard(props: CountProps): ReactElement {
  const { problem } = props.one;
  return (
    <Paper {...(props.isChosen && { bd: '2px solid var(--mantine-color-anchor)' })}>
      <Status status={problem} words={STATE_WORDS[problem]?.name ?? problem} />
      <Text size="lg" mt={4}>
        <CountLink {...props} />
      </Text>
      <Text size="sm" c="dimmed">
        {STATE_WORDS[problem]?.then}
      </Text>
    </Paper>
  );
}

interface ReasonTableProps extends ReasonsProps {
  readonly reasons: readonly ProblemCount[];
}

function ReasonTable({ siteId, reasons, chosen }: ReasonTableProps): ReactElement {
  return (
    <DataTable
      label="Reasons"
      rows={reasons}
      keyOf={({ problem }) => problem}
      columns={[
        {
          title: 'Reason',
          cell: ({ problem }) => (
            <>
              {reasonOf(Number(problem)).words}{' '}
              <Text span size="xs" c="dimmed">
                ({problem})
              </Text>
            </>
          ),
        },
        {
          title: 'Orders',
          cell: (one) => <CountLink siteId={siteId} one={one} isChosen={one.problem === chosen} />,
        },
        { title: 'What happens then', isDetail: true, cell: ({ problem }) => reasonOf(Number(problem)).then },
      ]}
    />
  );
}

interface ProblemCount {
  readonly problem: Problem;
  /** Undefined while it is counted. */
  readonly count: number | undefined;
  readonly isMore: boolean;
}

interface ProblemCounts {
  readonly counts: readonly ProblemCount[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** How many orders have each problem. */
function useProblemCounts(siteId: number): ProblemCounts {
  return useQueries({
    queries: PROBLEMS.map((problem) => orderCountQuery(siteId, { problem })),
    combine: (answers) => ({
      counts: PROBLEMS.map((problem, index): ProblemCount => ({
        problem,
        count: answers[index]?.data?.Count,
        isMore: answers[index]?.data?.IsMore ?? false,
      })),
      isPending: answers.some((answer) => answer.isPending),
      error: answers.find((answer) => answer.error !== null)?.error ?? null,
      refetch: () => Promise.all(answers.map((answer) => answer.refetch())),
    }),
  });
}
