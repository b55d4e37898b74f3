// A parse tree is JSON, of hundreds of kinds of nodes.
/* eslint-disable @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return */
import { deparseSync, loadModule, parseSync } from 'pgsql-parser';

/** A node of PostgreSQL's parse tree, as JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
type Node = any;

/** Call it first: the parser is a WebAssembly module. */
export const loadParser = loadModule;

/** The check runs where the coordinator is known, so it becomes a statement of its own. */
const CHECK = 'assert_same_database';

export interface Bucketed {
  readonly text: string;
  /**
   * The check that the statement had: a statement, and the places of its parameters among those of the statement, from
   * 0.
   */
  readonly check: { readonly text: string; readonly places: readonly number[] } | null;
}

/**
 * The statement for the rows of one bucket: an equality with the bucket for every distributed table, and a value for
 * every row that is inserted. Nothing else of it changes.
 */
export function inBucket(text: string, bucket: number, tables: ReadonlySet<string>): Bucketed {
  const tree = parseSync(text);
  const writer = new BucketWriter(bucket, tables);
  for (const { stmt } of tree.stmts as { stmt: Node }[]) writer.write(stmt, new Set());
  return { text: deparseSync(tree), check: writer.check };
}

class BucketWriter {
  check: Bucketed['check'] = null;

  constructor(
    private readonly bucket: number,
    private readonly tables: ReadonlySet<string>,
  ) {}

  /** `ctes`: names that are no tables here. */
  write(node: Node, ctes: ReadonlySet<string>): void {
    if (Array.isArray(node)) return node.forEach((one) => this.write(one, ctes));
    if (node === null || typeof node !== 'object') return;
    for (const [name, value] of Object.entries<Node>(node)) {
      if (name === 'FuncCall') this.withoutCheck(node, value);
      if (name === 'CommonTableExpr') readAsText(value);
      const known = this.withCtes(value, ctes);
      this.write(value, known);
      if (name === 'SelectStmt' || isOfSetOperation(name, value)) this.narrow(value, 'fromClause', known);
      if (name === 'UpdateStmt') this.narrow(value, 'fromClause', known);
      if (name === 'DeleteStmt') this.narrow(value, 'usingClause', known);
      if (name === 'InsertStmt' && this.isDistributed(value.relation, known)) this.insert(value);
    }
  }

  private withCtes(value: Node, ctes: ReadonlySet<string>): ReadonlySet<string> {
    const own = (value?.withClause?.ctes ?? []) as { CommonTableExpr: { ctename: string } }[];
    return own.length === 0 ? ctes : new Set([...ctes, ...own.map((one) => one.CommonTableExpr.ctename)]);
  }

  private isDistributed(range: Node, ctes: ReadonlySet<string>): boolean {
    return range?.relname !== undefined && this.tables.has(range.relname) && !ctes.has(range.relname);
  }

  /** `SELECT`s of `VALUES` and of set operations have no FROM of their own. */
  private narrow(statement: Node, from: string, ctes: ReadonlySet<string>): void {
    const conditions = this.conditions(statement[from] ?? [], ctes);
    if (this.isDistributed(statement.relation, ctes)) conditions.push(this.equality(statement.relation));
    if (conditions.length > 0) statement.whereClause = and([...conditions, statement.whereClause]);
  }

  /** Of items of a FROM, for its WHERE. What an outer join may lack has its condition in the join. */
  private conditions(items: readonly Node[], ctes: ReadonlySet<string>): Node[] {
    return items.flatMap(({ RangeVar: range, JoinExpr: join }) => {
      if (this.isDistributed(range, ctes)) return [this.equality(range)];
      if (join === undefined) return [];
      const [left, right] = [join.larg, join.rarg].map((side) => this.conditions([side], ctes)) as [Node[], Node[]];
      if (join.jointype === 'JOIN_INNER') return [...left, ...right];
      if (join.jointype === 'JOIN_FULL') {
        [join.larg, join.rarg] = [join.larg, join.rarg].map((side) => this.narrowed(side, ctes));
        return [];
      }
      if (join.jointype !== 'JOIN_LEFT') throw new Error(`No rule for a ${join.jointype}.`);
      if (right.length > 0) join.quals = and([...right, join.quals]);
      return left;
    });
  }

  /** Of a full join each side is narrowed before. */
  private narrowed(side: Node, ctes: ReadonlySet<string>): Node {
    if (!this.isDistributed(side.RangeVar, ctes)) return side;
    const alias = side.RangeVar.alias ?? { aliasname: side.RangeVar.relname };
    const [stmt] = parseSync(`SELECT * FROM ${side.RangeVar.relname} WHERE bucket = ${this.bucket}`).stmts as [Node];
    return { RangeSubselect: { subquery: stmt.stmt, alias } };
  }

  private equality(range: Node): Node {
    const alias = range.alias?.aliasname ?? range.relname;
    const column = { ColumnRef: { fields: [string(alias), string('bucket')] } };
    return { A_Expr: { kind: 'AEXPR_OP', name: [string('=')], lexpr: column, rexpr: this.value() } };
  }

  private value(): Node {
    return { A_Const: this.bucket === 0 ? { ival: {} } : { ival: { ival: this.bucket } } };
  }

  private insert(statement: Node): void {
    statement.cols.push({ ResTarget: { name: 'bucket' } });
    const select = statement.selectStmt.SelectStmt;
    if (select.valuesLists === undefined) select.targetList.push({ ResTarget: { val: this.value() } });
    else for (const { List: row } of select.valuesLists) row.items.push(this.value());
    const elements = statement.onConflictClause?.infer?.indexElems;
    elements?.unshift({
      IndexElem: { name: 'bucket', ordering: 'SORTBY_DEFAULT', nulls_ordering: 'SORTBY_NULLS_DEFAULT' },
    });
  }

  private withoutCheck(node: Node, call: Node): void {
    if (call.funcname.at(-1).String.sval !== CHECK) return;
    const [generation, lsn, ...rest] = call.args as [Node, Node, ...Node[]];
    const places = [generation, lsn].map(({ ParamRef: { number } }) => (number as number) - 1);
    const version = rest.map(({ A_Const: { ival } }) => `, ${ival.ival}`).join('');
    this.check = { text: `SELECT ${CHECK}($1, $2${version})`, places };
    delete node.FuncCall;
    // The parameters stay, so that the others keep their numbers.
    Object.assign(node, expressionOf(`$1::bigint IS NOT NULL AND $2::pg_lsn IS NOT NULL`));
    const [first, second] = node.BoolExpr.args as [Node, Node];
    first.NullTest.arg.TypeCast.arg = generation;
    second.NullTest.arg.TypeCast.arg = lsn;
  }
}

/**
 * Citus 13.2 writes the rows of a `WITH` that locks rows of one of several relations in binary, and reads them as text.
 * With a column of a composite type both are text.
 */
function readAsText({ ctequery }: Node): void {
  const select = ctequery.SelectStmt;
  if (select?.lockingClause !== undefined)
    select.targetList.push({ ResTarget: { name: 'as_text', val: expressionOf('NULL::sites') } });
}

const expressionOf = (sql: string): Node =>
  (parseSync(`SELECT ${sql}`) as Node).stmts[0].stmt.SelectStmt.targetList[0].ResTarget.val;
/** The sides of a UNION are queries without a name. (Those of a join are nodes.) */
const isOfSetOperation = (name: string, value: Node) => /^[lr]arg$/.test(name) && value?.limitOption !== undefined;

const string = (sval: string): Node => ({ String: { sval } });

function and(conditions: readonly Node[]): Node {
  const args = conditions.filter((one) => one !== undefined);
  return args.length === 1 ? args[0] : { BoolExpr: { boolop: 'AND_EXPR', args } };
}
