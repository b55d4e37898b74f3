import type { TestDatabase } from './database.js';

/** A node of a plan that was executed; `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How a connection plans a statement that it has prepared: for these values, or for any. */
export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;

/** A value of a statement as SQL. */
const literal = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  const text =
    value instanceof Date ? value.toISOString() : Array.isArray(value) ? `{${value.join(',')}}` : String(value);
  return `'${text}'`;
};

/** Executes a statement as a connection does that has prepared it. @returns the root of its plan */
export async function planOf(
  database: TestDatabase,
  text: string,
  values: readonly unknown[],
  mode: (typeof PLAN_MODES)[number],
): Promise<PlanNode> {
  const runner = database.dataSource.createQueryRunner();
  try {
    await runner.query(`SET plan_cache_mode = ${mode}`);
    await runner.query(`PREPARE asked AS ${text}`);
    const rows = (await runner.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked (${values.map(literal).join(', ')})`,
    )) as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }];
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await runner.query('DEALLOCATE asked');
    await runner.query('RESET plan_cache_mode');
    await runner.release();
  }
}
