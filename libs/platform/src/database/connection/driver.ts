import type { Socket } from 'node:net';
import pg, { type PoolClient, type Query } from 'pg';
import type { Statement } from '../statements/statement.js';

// All that we use of pg's insides, for which it has no option and no method that it documents. package.json names its
// version exactly; whoever raises it reads here what may have changed.

const [INT8, INT8_ARRAY] = [20, 1016];

/**
 * PostgreSQL's int8 as a number: ids, counts and minor units are bounded by 2^53 − 1 (decisions.md §1).
 * @throws RangeError beyond that, rather than another number.
 */
function int8(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(
    `PostgreSQL sent the bigint ${text}, beyond ${Number.MAX_SAFE_INTEGER}: read it as text (::text).`,
  );
}

const int8s = (text: string): (number | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((value) => (value === 'NULL' ? null : int8(value)));

/** numeric stays text: it is money. */
const types = {
  getTypeParser: ((oid: number, format: 'text' | undefined) => {
    if (oid === INT8) return int8;
    return oid === INT8_ARRAY ? int8s : (pg.types.getTypeParser(oid, format) as unknown);
  }) as typeof pg.types.getTypeParser,
};

const properties = new Map<string, string>();

/** `due_utc` → `dueUtc`; a name that is in camel case already stays. */
export function propertyOf(column: string): string {
  let property = properties.get(column);
  if (property === undefined) {
    property = column.replace(/(?<=[a-z\d])_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
    properties.set(column, property);
  }
  return property;
}

/** What PostgreSQL says before the first row of an answer. */
interface RowDescription {
  readonly fields: readonly { name: string }[];
}

/** pg's own, which its types leave out. */
interface Described {
  name: string | undefined;
  readonly _result: { _types: pg.CustomTypesConfig };
  handleRowDescription(description: RowDescription): void;
}

type Callback<Row extends object> = (error: Error | undefined, result: { rows: Row[] }) => void;

const DescribedQuery = pg.Query as unknown as new <Row extends object>(
  text: string,
  values: unknown[],
  callback: Callback<Row>,
) => Query<Row> & Described;

/**
 * A statement whose rows are as the code has them: properties in camel case, and numbers for int8. The names are made
 * once for an answer, from its description, and not for each row. JSON in a column stays as it is. (Name and types are
 * options of pg, too, but it copies an object of options by its property descriptors: 2.3 of the 2.4 µs before a
 * statement is sent. Types of a pool would hold for TypeORM's queries as well, where it shares the pool.)
 */
export class RowQuery<Row extends object> extends DescribedQuery<Row> {
  constructor(statement: Statement | string, values: unknown[], callback: Callback<Row>) {
    super(typeof statement === 'string' ? statement : statement.text, values, callback);
    if (typeof statement !== 'string') this.name = statement.name;
    this._result._types = types;
  }

  override handleRowDescription(description: RowDescription): void {
    for (const field of description.fields) field.name = propertyOf(field.name);
    super.handleRowDescription(description);
  }
}

/** A query as pg sends it. */
export interface SentQuery extends Query {
  name: string | undefined;
  text: string;
  callback: ((error: Error | null, result?: unknown) => void) | undefined;
}

/** What `query` of a client was called with, as the query that it makes of it. */
export function sentQuery(config: unknown, values: unknown, callback: unknown): SentQuery {
  const isQuery = config instanceof pg.Query;
  return (isQuery ? config : new pg.Query(config as string, values as unknown[], callback as never)) as SentQuery;
}

export const queryOf = (text: string, callback: (error: Error | null | undefined) => void): Query =>
  new pg.Query(text, undefined, callback as never);

interface Reading {
  /** Called by pg when a connection begins to speak PostgreSQL's protocol, after TLS if there is any. */
  attachListeners(stream: Socket): void;
}

/** pg's connection parameters, made from its configuration and the URL. */
interface Parameters {
  host: string;
  port: number;
  options: string | undefined;
}

/**
 * The parameters that a client will connect with. No option says as much: those of the URL overrule all options, and
 * the host is chosen after the client was made.
 */
export const parametersOf = (client: pg.Client): Parameters =>
  (client as unknown as { readonly connectionParameters: Parameters }).connectionParameters;

/** Whether the pool has given up a client that still looks for its host. */
export const isGivenUp = (client: pg.Client): boolean =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroyed;

/**
 * Sends everything that goes to this connection in one turn of the event loop with one write. On a busy server the
 * writes to the database's sockets are almost half of a request's work.
 */
export function sendTogether({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * The driver reads PostgreSQL's data in a listener of its socket. An error there (for example a text of more than 512
 * MB, the longest string) would end the process. With this it ends only the connection, and every statement on it fails
 * with that error.
 */
export function endWithFaults(client: pg.Client): void {
  const { connection } = client as unknown as { readonly connection: Reading };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const before = new Set(stream.listeners('data'));
    attach(stream);
    for (const listener of stream.listeners('data') as ((piece: Buffer) => void)[]) {
      if (before.has(listener)) continue;
      stream.off('data', listener);
      stream.on('data', (piece: Buffer) => {
        try {
          listener(piece);
        } catch (error) {
          stream.destroy(error as Error);
        }
      });
    }
  };
}
