import type { Statement } from './statement.js';

/**
 * What runs statements and gives their rows; bigint columns arrive as text. A pool runs each statement by itself, a `Transaction` all of them
 * together. A `Statement` is planned once per connection, a bare text every time.
 */
export interface SqlExecutor {
  execute<Row extends object>(statement: Statement | string, values?: unknown[]): Promise<Row[]>;
}
