import type { TestDatabase } from '../database.js';

/** A node of the tree that PostgreSQL makes of a statement: `{NAME :field value …}`. */
export interface TreeNode {
  readonly name: string;
  readonly fields: ReadonlyMap<string, TreeValue>;
}
/** What stands behind a field: words, nodes, and lists of them. */
export type TreeValue = readonly (string | TreeNode | TreeValue)[];

/**
 * The queries of a statement as PostgreSQL has understood it: names, functions and operators are resolved, and views
 * and `*` are expanded. The body of an SQL function is stored in that form. The statement is not run.
 */
export async function queryOf(database: TestDatabase, text: string): Promise<TreeNode> {
  return database.pool.transaction(async (tx) => {
    await tx.execute(`PREPARE of_statement AS ${text}`);
    const [{ types }] = (await tx.execute<{ types: string }>(
      `SELECT array_to_string(parameter_types, ', ') AS types FROM pg_prepared_statements WHERE name = 'of_statement'`,
    )) as [{ types: string }];
    await tx.execute(`DEALLOCATE of_statement`);
    await tx.execute(`CREATE FUNCTION of_statement(${types}) RETURNS void LANGUAGE sql BEGIN ATOMIC ${text}; END`);
    const [{ body }] = (await tx.execute<{ body: string }>(
      `SELECT prosqlbody::text AS body FROM pg_proc WHERE proname = 'of_statement'`,
    )) as [{ body: string }];
    await tx.execute(`DROP FUNCTION of_statement`);
    return nodesIn(parse(body)).find(({ name }) => name === 'QUERY')!;
  });
}

/** `\ ` and the like are parts of a word. */
const TOKEN = /[{}()]|(?:\\[^]|[^\s{}()\\])+/g;

function parse(text: string): TreeValue {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const valuesUntil = (end: (token: string) => boolean): TreeValue => {
    const values: TreeValue[number][] = [];
    for (; at < tokens.length && !end(tokens[at]!); at++) {
      const token = tokens[at]!;
      if (token === '(' || token === '{') at++;
      if (token === '(') values.push(valuesUntil((next) => next === ')'));
      else values.push(token === '{' ? node() : token);
    }
    return values;
  };
  const node = (): TreeNode => {
    const name = tokens[at++]!;
    const fields = new Map<string, TreeValue>();
    while (tokens[at] !== '}') {
      const field = tokens[at++]!.slice(1);
      fields.set(
        field,
        valuesUntil((next) => next === '}' || next.startsWith(':')),
      );
    }
    return { name, fields };
  };
  return valuesUntil(() => false);
}

/** The nodes directly within a value. */
export const nodesIn = (value: TreeValue | undefined): TreeNode[] =>
  (value ?? []).flatMap((one) => (typeof one === 'string' ? [] : isList(one) ? nodesIn(one) : [one]));

const isList = (value: TreeNode | TreeValue): value is TreeValue => Array.isArray(value);

/** The nodes directly below a node. */
export const below = (node: TreeNode): TreeNode[] => [...node.fields.values()].flatMap((value) => nodesIn(value));

/** A node and all nodes below it; what is below those that `stop` names is left out. */
export const allFrom = (node: TreeNode, stop: (node: TreeNode) => boolean = () => false): TreeNode[] => [
  node,
  ...(stop(node) ? [] : below(node).flatMap((one) => allFrom(one, stop))),
];

/** A field that is one word. */
export const wordOf = (node: TreeNode, field: string): string => {
  const [word] = node.fields.get(field) ?? [];
  return typeof word === 'string' ? word : '';
};
