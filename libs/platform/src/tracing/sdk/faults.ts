import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';

const SQL_STATE = /^[0-9A-Z]{5}$/;

/** Marks a span as failed. The message of an error stays in the log: it may quote what a customer sent. */
export function markFailed(span: Span, error: unknown): void {
  const attributes = faultOf(error);
  span.setAttributes(attributes);
  span.addEvent('exception', { 'exception.type': attributes['error.type'], ...framesOf(error) });
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function faultOf(error: unknown): Attributes {
  if (!(error instanceof Error)) return { 'error.type': typeof error };
  const { code } = error as { code?: unknown };
  const isSqlState = typeof code === 'string' && SQL_STATE.test(code);
  return { 'error.type': error.name, ...(isSqlState ? { 'db.response.status_code': code } : {}) };
}

/** A stack begins with the message, which may have several lines; only its places are taken. */
function framesOf(error: unknown): Attributes {
  const frames = error instanceof Error ? (error.stack?.match(/^ {4}at .*$/gm) ?? []) : [];
  return frames.length === 0 ? {} : { 'exception.stacktrace': frames.join('\n') };
}
