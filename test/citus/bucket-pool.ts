import type { ConnectionPool, SqlExecutor, Statement, Transaction } from '#libs/platform';
import { type Bucketed, inBucket } from '../support/sql/bucketed.js';

type Send = SqlExecutor['execute'];
export type Faults = (error: Error, text: string) => void;

/**
 * The connections of a worker that processes one bucket: every statement is sent for the rows of that bucket only.
 * `onFault` is called with those that fail.
 */
export function bucketPool(
  pool: ConnectionPool,
  bucket: number,
  tables: ReadonlySet<string>,
  onFault: Faults,
): ConnectionPool {
  const made = new Map<string, Bucketed>();
  const bucketed = (statement: Statement | string): Bucketed => {
    const text = typeof statement === 'string' ? statement : statement.text;
    const one = made.get(text) ?? inBucket(text, bucket, tables);
    made.set(text, one);
    return one;
  };
  /**
   * `waits`: the check is answered first. In a transaction everything is sent in the order of the calls, and fails with
   * it.
   */
  const executing =
    (target: SqlExecutor, waits: boolean): Send =>
    async <Row extends object>(statement: Statement | string, values: unknown[] = []) => {
      const { text, check } = bucketed(statement);
      const known = check?.places.map((place) => values[place]);
      const checked = check === null ? undefined : target.execute(check.text, known);
      if (waits) await checked;
      const sent = Promise.all([target.execute<Row>(text, values), checked]);
      sent.catch((error: Error) => onFault(error, text));
      return (await sent)[0];
    };
  return replaced(pool, {
    execute: executing(pool, true),
    read: executing(pool, true),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
      pool.transaction((tx) => work(replaced(tx, { execute: executing(tx, false) }))),
  });
}

/** The same object, with other methods. */
function replaced<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = methods[name as string] ?? Reflect.get(object, name, object);
      return typeof value === 'function' && methods[name as string] === undefined
        ? (value.bind(object) as unknown)
        : value;
    },
  });
}
