import type { TestDatabase } from '../database.js';
import { allFrom, below, nodesIn, queryOf, type TreeNode, wordOf } from './statement-tree.js';

/** What Citus refuses of a statement that changes rows of one shard (deploy/citus/README.md). */

/** Where a node has the function that it calls. */
const FUNCTION_FIELDS = ['funcid', 'opfuncid', 'aggfnoid', 'winfnoid'];

/** From pg_proc. */
export interface Volatility {
  readonly volatile: ReadonlySet<string>;
  readonly mutable: ReadonlySet<string>;
  readonly nextval: string;
  /** Names of functions, for messages. */
  readonly names: ReadonlyMap<string, string>;
}

export async function volatilityIn(database: TestDatabase): Promise<Volatility> {
  const functions = await database.query<{ oid: string; name: string; kind: string }>(
    `SELECT oid::text, proname AS name, provolatile AS kind FROM pg_proc`,
  );
  const ofKinds = (...kinds: string[]) =>
    new Set(functions.filter(({ kind }) => kinds.includes(kind)).map(({ oid }) => oid));
  return {
    volatile: ofKinds('v'),
    mutable: ofKinds('v', 's'),
    nextval: functions.find(({ name }) => name === 'nextval')!.oid,
    names: new Map(functions.map(({ oid, name }) => [oid, name])),
  };
}

/** Why Citus would refuse the statement: nothing, for one that it takes. */
export async function refusalsOf(database: TestDatabase, known: Volatility, text: string): Promise<string[]> {
  const query = await queryOf(database, text);
  const queries = allFrom(query).filter(({ name }) => name === 'QUERY');
  return [...new Set(queries.flatMap((one) => refusals(known, one)))];
}

const SELECT = '1';
const UPDATE = '2';
const INSERT = '3';

function refusals(known: Volatility, query: TreeNode): string[] {
  const command = wordOf(query, 'commandType');
  const nodesAt = (field: string) => nodesIn(query.fields.get(field));
  const returning = nodesAt('returningList').flatMap((one) => returned(known, one));
  if (command === UPDATE)
    return [
      ...returning,
      ...updated(known, query),
      ...changed(known, [...nodesAt('targetList'), ...nodesAt('jointree')]),
    ];
  if (command === INSERT) return [...returning, ...inserted(known, query)];
  return command === SELECT ? [] : [...returning, ...changed(known, nodesAt('jointree'))];
}

const named = (known: Volatility, functions: readonly string[]) => functions.map((oid) => `${known.names.get(oid)}()`);

const functionsOf = (node: TreeNode, among: ReadonlySet<string>): string[] =>
  FUNCTION_FIELDS.map((field) => wordOf(node, field)).filter((oid) => among.has(oid));

/** Of all nodes below, those in sub-selects included. */
const functionsFrom = (node: TreeNode, among: ReadonlySet<string>) =>
  allFrom(node).flatMap((one) => functionsOf(one, among));

const returned = (known: Volatility, node: TreeNode): string[] => [
  ...named(known, functionsFrom(node, known.mutable)).map((name) => `${name} in RETURNING`),
  ...(allFrom(node).some(({ name }) => name === 'SUBLINK') ? ['a sub-select in RETURNING'] : []),
];

/** Of the query itself: its `WITH` belongs to it. */
const updated = (known: Volatility, query: TreeNode): string[] =>
  named(known, functionsFrom(query, known.volatile)).map((name) => `${name} in an UPDATE, which is volatile`);

/** In SET and WHERE. What a sub-select does is its own matter. */
function changed(known: Volatility, nodes: readonly TreeNode[]): string[] {
  const isSublink = ({ name }: TreeNode) => name === 'SUBLINK';
  return nodes
    .flatMap((node) => allFrom(node, isSublink))
    .flatMap((node) => {
      if (node.name === 'CASEEXPR' || node.name === 'COALESCEEXPR') {
        return named(known, functionsFrom(node, known.mutable)).map(
          (name) => `${name} in a CASE or coalesce of an UPDATE`,
        );
      }
      const stable = named(known, functionsOf(node, known.mutable));
      const takesColumns = below(node).some((one) => allFrom(one, isSublink).some(({ name }) => name === 'VAR'));
      return takesColumns ? stable.map((name) => `${name} with a column in an UPDATE`) : [];
    });
}

function inserted(known: Volatility, query: TreeNode): string[] {
  const [conflict] = nodesIn(query.fields.get('onConflict'));
  const set = conflict === undefined ? [] : functionsFrom(conflict, known.mutable);
  const locks = allFrom(query).some(({ fields }) => nodesIn(fields.get('rowMarks')).length > 0);
  const numbers = locks ? functionsFrom(query, new Set([known.nextval])) : [];
  return [
    ...named(known, set).map((name) => `${name} in ON CONFLICT`),
    ...named(known, numbers).map((name) => `${name} in an INSERT that locks rows`),
  ];
}

/**
 * The tables of a statement: those with an equality with the bucket (or the bucket as a value) wherever they stand, and
 * all others.
 */
export async function tablesOf(
  database: TestDatabase,
  text: string,
  bucket: number,
): Promise<{ narrowed: string[]; others: string[] }> {
  const query = await queryOf(database, text);
  const columns = await database.query<{ id: string; name: string; number: number | null }>(
    `SELECT c.oid::text AS id, c.relname AS name, a.attnum::int AS number
     FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'bucket' WHERE c.relkind IN ('r', 'p')`,
  );
  const tables = new Map(columns.map((column) => [column.id, column]));
  const found = { narrowed: new Set<string>(), others: new Set<string>() };
  for (const one of allFrom(query).filter(({ name }) => name === 'QUERY')) {
    const [conflict] = nodesIn(one.fields.get('onConflict'));
    const excluded = conflict === undefined ? '' : wordOf(conflict, 'exclRelIndex');
    for (const [index, entry] of nodesIn(one.fields.get('rtable')).entries()) {
      const table = tables.get(wordOf(entry, 'relid'));
      if (wordOf(entry, 'rtekind') !== '0' || table === undefined || excluded === String(index + 1)) continue;
      const isNarrowed = table.number !== null && hasBucket(one, String(index + 1), String(table.number), bucket);
      found[isNarrowed ? 'narrowed' : 'others'].add(table.name);
    }
  }
  return { narrowed: [...found.narrowed], others: [...found.others] };
}

/** `=` of int4, in every PostgreSQL. */
const EQUAL_INT4 = '96';

/** Whether table `varno` of a query has its bucket as a condition, or is given it by an INSERT. */
function hasBucket(query: TreeNode, varno: string, attno: string, bucket: number): boolean {
  if (wordOf(query, 'commandType') === INSERT && wordOf(query, 'resultRelation') === varno) {
    return nodesIn(query.fields.get('targetList')).some((entry) => wordOf(entry, 'resno') === attno);
  }
  const conditions = nodesIn(query.fields.get('jointree')).flatMap((node) =>
    allFrom(node, ({ name }) => name === 'SUBLINK'),
  );
  return conditions.some(({ name, fields }) => {
    const [column, value] = name === 'OPEXPR' ? nodesIn(fields.get('args')) : [];
    return (
      wordOf({ name, fields }, 'opno') === EQUAL_INT4 &&
      column?.name === 'VAR' &&
      wordOf(column, 'varno') === varno &&
      wordOf(column, 'varattno') === attno &&
      value?.name === 'CONST' &&
      value.fields.get('constvalue')?.includes(String(bucket)) === true
    );
  });
}
