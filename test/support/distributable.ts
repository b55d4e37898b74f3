import type { TestDatabase } from './database.js';
import { allFrom, below, nodesIn, queryOf, type TreeNode, wordOf } from './statement-tree.js';

/** What Citus refuses of a statement that changes rows of one shard (docs/citus.md). */

/** Where a node has the function that it calls. */
const FUNCTION_FIELDS = ['funcid', 'opfuncid', 'aggfnoid', 'winfnoid'];

/** From pg_proc. */
export interface Volatility {
  readonly volatile: ReadonlySet<string>;
  readonly mutable: ReadonlySet<string>;
  readonly nextval: string;
  /** Names of functions and tables, for messages. */
  readonly names: ReadonlyMap<string, string>;
}

export async function volatilityIn(database: TestDatabase): Promise<Volatility> {
  const functions = await database.query<{ oid: string; name: string; kind: string }>(
    `SELECT oid::text, proname AS name, provolatile AS kind FROM pg_proc`,
  );
  const of = (...kinds: string[]) =>
    new Set(functions.filter(({ kind }) => kinds.includes(kind)).map(({ oid }) => oid));
  return {
    volatile: of('v'),
    mutable: of('v', 's'),
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
  const of = (field: string) => nodesIn(query.fields.get(field));
  const returning = of('returningList').flatMap((one) => returned(known, one));
  if (command === UPDATE)
    return [...returning, ...updated(known, query), ...changed(known, [...of('targetList'), ...of('jointree')])];
  if (command === INSERT) return [...returning, ...inserted(known, query)];
  return command === SELECT ? [] : [...returning, ...changed(known, of('jointree'))];
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
