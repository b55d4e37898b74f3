import type { Statement } from './statement.js';

/**
 * Runs statements and returns their rows; bigint columns arrive as text. A pool runs each statement in its own
 * transaction, a `Transaction` all of them in one. A `Statement` is planned once per connection, a bare text every
 * time.
 */
export interface SqlExecutor {
  execute<Row extends object>(statement: Statement | string, values?: unknown[]): Promise<Row[]>;
}
