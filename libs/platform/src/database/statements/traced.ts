import { activeTracing, statementOperation } from '../../tracing/index.js';
import type { Statement } from './statement.js';

/**
 * Runs `work`, which sends the statement, at once. While traces are on, the statement is a part of the request or the
 * order that it is for.
 */
export function traced<T>(statement: Statement | string, work: () => Promise<T>): Promise<T> {
  const tracing = activeTracing();
  if (tracing === null) return work();
  const text = typeof statement === 'string' ? statement : statement.text;
  return tracing.operation(() => statementOperation(text), work);
}

const CONNECT = { name: 'wait for a connection', kind: 'internal', attributes: {} } as const;

/** The same for the connection of a transaction, which may have to wait until others give one back. */
export function tracedConnect<T>(work: () => Promise<T>): Promise<T> {
  const tracing = activeTracing();
  return tracing === null ? work() : tracing.operation(() => CONNECT, work);
}
