import type { Operation, OperationAnswer } from '#libs/platform';
import type { WireAnswer, WireRequest } from './exchange.js';

/** A call as an operation of a trace. Its path and its query have ids of customers and cards, so they stay here. */
export function callOperation({ operation, method, url }: WireRequest): Operation {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return {
    name: `${operation} ${url.hostname}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': port,
      'gateway.operation': operation,
    },
  };
}

/** A declined card is an answer of 402 at one gateway and of 200 at the other, and no fault. */
export function answerOf({ status }: WireAnswer): OperationAnswer {
  const isFault = status >= 400 && status !== 402;
  return {
    attributes: { 'http.response.status_code': status },
    errorType: isFault ? String(status) : undefined,
  };
}
