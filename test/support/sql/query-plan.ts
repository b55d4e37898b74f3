import type { TestDatabase } from '../database.js';

/** A node of a plan that was executed. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The pages that a plan read, from memory or not. */
export const pagesOf = (plan: PlanNode): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/** The tables that a plan read whole. */
export const scannedBy = (plan: PlanNode): string[] =>
  nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']!);

interface Explained {
  readonly 'QUERY PLAN': [
    { readonly Plan: PlanNode; readonly 'Planning Time': number; readonly 'Execution Time': number },
  ];
}

interface Connection {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/** Executes a statement. @returns the root of its plan, and how long planning and executing took */
export async function explain(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<{ plan: PlanNode; ms: number }> {
  const rows = (await connection.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)) as [Explained];
  const [{ Plan: plan, 'Planning Time': planning, 'Execution Time': execution }] = rows[0]['QUERY PLAN'];
  return { plan, ms: planning + execution };
}

/** How a connection plans a statement that it has prepared: for these values, or for any. */
export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;

/** An array as PostgreSQL writes it. */
const arrayOf = (values: readonly unknown[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;

const quoted = (value: unknown): string => JSON.stringify(String(value));

/** A value of a statement as SQL. */
const literal = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? arrayOf(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
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
    const { plan } = await explain(runner, `EXECUTE asked (${values.map(literal).join(', ')})`);
    return plan;
  } finally {
    await runner.query('DEALLOCATE asked');
    await runner.query('RESET plan_cache_mode');
    await runner.release();
  }
}
