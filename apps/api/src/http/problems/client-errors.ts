import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, PROBLEM_TYPE, PROBLEMS } from './problem.js';
import type { RefusalLog } from './refusal-log.js';

const STATUS_OF: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Answers data that never became a request (not HTTP, endless headers, too slow) in the same form as other errors. */
export const answerClientErrors =
  (baseUrl: string, refusals: RefusalLog) => (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = STATUS_OF[error.code ?? ''] ?? 400;
    const { meaning, remedy } = PROBLEMS[status]!;
    const detail = status === 400 ? 'The request cannot be read: it is not HTTP.' : `${meaning} ${remedy}`;
    const id = randomUUID();
    refusals.connection(id, status);
    const body = JSON.stringify(problem(baseUrl, status, detail, id, status === 400 ? [] : undefined));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'cache-control: no-store',
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
    ].join('\r\n');
    if (socket.writable) socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
    else socket.destroy();
  };
