import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { MaySend } from '../payment-gateway.js';
import { mayGoOn } from './may-go-on.js';

/** Nothing was sent: the connection was never open. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent';
}

/** Nothing was sent: the connection was open, but the caller no longer allowed it, or did not answer in time. */
export class CalledOff extends NotSent {
  override readonly name = 'CalledOff';
}

/** Sent, completely or in part, without a complete answer. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  /** The connection was idle before and turned out to be closed. Most likely the gateway never received the request. */
  readonly idleConnection: boolean;

  constructor(message: string, { idleConnection = false, cause }: { idleConnection?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.idleConnection = idleConnection;
  }
}

export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | number>>;
  readonly body: string;
  /** Asked as late as possible: again when the connection is open, before the first byte is written. */
  readonly maySend?: MaySend | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A list of 1,000 transactions is about half a megabyte. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/** The other end may have closed a connection that is idle for longer, and a charge on it would have an unknown outcome. */
const LONGEST_IDLE_MS = 10_000;

/**
 * The most idle connections that are kept. Node's default of 256 is less than a dozen busy integrations use, so the next charges would have to
 * connect again.
 */
const MOST_IDLE = 2_000;

const KEPT = { keepAlive: true, timeout: LONGEST_IDLE_MS, maxFreeSockets: MOST_IDLE } as const;

/** Idle connections to the gateways, shared by all integrations of a process. */
export class Connections {
  private readonly http = new http.Agent(KEPT);
  private readonly https = new https.Agent(KEPT);

  /** @throws NotSent for headers that cannot be sent. */
  open({ url, method, headers }: WireRequest): http.ClientRequest {
    const secure = url.protocol === 'https:';
    const options = { method, headers, agent: secure ? this.https : this.http };
    try {
      return secure ? https.request(url, options) : http.request(url, options);
    } catch (cause) {
      throw new NotSent('a request that cannot be sent', { cause });
    }
  }
}

/**
 * Sends one request and reads its whole answer, of any status, within `timeoutMs`; it connects within `connectTimeoutMs`. (It uses Node's own client
 * and not fetch, because only that distinguishes "never connected" from "sent, no answer" with certainty.)
 * @throws NotSent, CalledOff, AnswerLost
 */
export function exchange(
  connections: Connections,
  request: WireRequest,
  { timeoutMs, connectTimeoutMs }: { timeoutMs: number; connectTimeoutMs: number },
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = connections.open(request);
    let stage: 'connecting' | 'asking' | 'sent' | 'answering' | 'over' = 'connecting';
    let connecting: NodeJS.Timeout | undefined;
    const total = setTimeout(() => {
      const isOurs = stage === 'asking';
      fail(new (isOurs ? CalledOff : Error)(`no ${isOurs ? 'permission' : 'whole answer'} within ${timeoutMs} ms`));
    }, timeoutMs);

    const settle = (): void => {
      stage = 'over';
      clearTimeout(total);
      clearTimeout(connecting);
    };
    const fail = (cause: Error): void => {
      if (stage === 'over') return;
      const failedAt = stage;
      settle();
      reject(failure(cause, failedAt, outgoing.reusedSocket));
      outgoing.destroy();
    };
    const send = (mayGo: boolean): void => {
      if (stage !== 'asking') return;
      if (!mayGo) return fail(new CalledOff('it may no longer be sent'));
      stage = 'sent';
      outgoing.end(request.body);
    };
    const stands = (): void => {
      clearTimeout(connecting);
      stage = 'asking';
      const mayGo = mayGoOn(request.maySend, timeoutMs);
      if (typeof mayGo === 'boolean') send(mayGo);
      else void mayGo.then(send);
    };

    outgoing.on('error', fail);
    outgoing.on('socket', (socket: Socket) => {
      if (stage === 'over') return;
      if (!socket.connecting) return stands();
      connecting = setTimeout(() => fail(new Error(`no connection within ${connectTimeoutMs} ms`)), connectTimeoutMs);
      socket.once(request.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (stage === 'connecting') stands();
      });
    });
    outgoing.on('response', (incoming) => {
      stage = 'answering';
      wholeBody(incoming, fail, (body) => {
        settle();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
      });
    });
  });
}

/** No byte is written before the caller has allowed it. So after any error until then, nothing was sent. */
function failure(cause: Error, stage: 'connecting' | 'asking' | 'sent' | 'answering', reusedSocket: boolean): Error {
  if (cause instanceof CalledOff) return cause;
  if (stage === 'connecting' || stage === 'asking') return new NotSent(cause.message, { cause });
  const closed = ['ECONNRESET', 'EPIPE'].includes((cause as NodeJS.ErrnoException).code ?? '');
  const idleConnection = closed && reusedSocket && stage === 'sent';
  return new AnswerLost(cause.message, { idleConnection, cause });
}

function wholeBody(incoming: http.IncomingMessage, fail: (cause: Error) => void, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > LONGEST_ANSWER) fail(new Error(`an answer of more than ${LONGEST_ANSWER} bytes`));
    else chunks.push(chunk);
  });
  incoming.on('error', fail);
  incoming.on('end', () => {
    if (!incoming.complete) fail(new Error('the answer was cut short'));
    else done(Buffer.concat(chunks).toString('utf8'));
  });
}
