import { useQueries } from '@tanstack/react-query';
import { orderCountQuery } from '../scheduled-orders/query.ts';
import { type Problem, PROBLEMS } from '../scheduled-orders/search.ts';

export interface ProblemCount {
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
export function useProblemCounts(siteId: number): ProblemCounts {
  return useQueries({
    queries: PROBLEMS.map((problem) => orderCountQuery(siteId, { problem })),
    combine: (answers) => ({
      counts: PROBLEMS.map(
        (problem, index): ProblemCount => ({
          problem,
          count: answers[index]?.data?.Count,
          isMore: answers[index]?.data?.IsMore ?? false,
        }),
      ),
      isPending: answers.some((answer) => answer.isPending),
      error: answers.find((answer) => answer.error !== null)?.error ?? null,
      refetch: () => Promise.all(answers.map((answer) => answer.refetch())),
    }),
  });
}
