import type { CycleState } from '#libs/entities';
import { eachSite, type Filter, type Found, type Parameters } from '#libs/records';
import { FAILURE_CODES } from '#libs/rules';

/** The states in which a cycle that has failed can be. */
export const PROBLEM_STATES = ['Retrying', 'Waiting', 'Unknown', 'Failed'] as const satisfies readonly CycleState[];
export type ProblemState = (typeof PROBLEM_STATES)[number];

/** Why the newest cycle of an order has failed, or how it stands since. */
export type Problem = { readonly state: ProblemState } | { readonly code: number };

export const PROBLEM_CODES = Object.values(FAILURE_CODES).map(({ code }) => code);

/** A cycle that was passed over, or charged in the end, is no problem any more. */
const ENDED_WELL = `c.state NOT IN ('Completed', 'Skipped')`;

/** An open cycle is always the newest of its order. pk_processing_cycles. */
const NEWEST = `(c.open OR NOT EXISTS (SELECT FROM processing_cycles n
  WHERE n.scheduled_order_id = c.scheduled_order_id AND n.cycle > c.cycle OFFSET 0))`;

/**
 * Orders whose newest cycle has failed so (`ix_processing_cycles_failure`). A cycle without a failure code has not
 * failed: it is on its way, or a request ended it before anything failed.
 */
export const ofProblem = (problem: Problem): Filter => ({
  condition: (parameters) => `EXISTS (SELECT FROM (
      SELECT c.state, c.failure_code FROM processing_cycles c WHERE c.scheduled_order_id = t.id ORDER BY c.cycle DESC LIMIT 1) c
    WHERE c.failure_code IS NOT NULL AND ${ENDED_WELL} AND ${matches(problem, parameters)})`,
  found: (parameters) => [
    {
      parts: [eachSite(parameters.reach), ...parts(problem)],
      from: 'processing_cycles c',
      where: `c.site_id = site.id AND c.open = part.open AND c.failure_code = code.value AND ${ENDED_WELL} AND ${NEWEST}
        AND ${matches(problem, parameters)}`,
      id: 'c.scheduled_order_id',
    } satisfies Found,
  ],
  isById: true,
});

const matches = (problem: Problem, parameters: Parameters): string =>
  'state' in problem
    ? `c.state = ${parameters.add(problem.state, 'varchar')}`
    : `c.failure_code = ${parameters.add(problem.code, 'int')}`;

/** What of the index may have them. */
function parts(problem: Problem): readonly string[] {
  const codes = 'code' in problem ? [problem.code] : PROBLEM_CODES;
  const open = 'code' in problem ? 't,f' : problem.state === 'Failed' ? 'f' : 't';
  return [`unnest('{${open}}'::boolean[]) AS part (open)`, `unnest('{${codes.join(',')}}'::int[]) AS code (value)`];
}
