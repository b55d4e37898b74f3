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
  /** What it asks for, for traces: without ids and values. */
  readonly operation: string;
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

/**
 * The other end may have closed a connection that is idle for longer, and a charge on it would have an unknown outcome.
 */
const LONGEST_IDLE_MS = 10_000;

/**
 * The most idle connections that are kept. Node's default of 256 is less than a dozen busy integrations use, so the
 * next charges would have to connect again.
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

interface Timeouts {
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * Sends one request and reads its whole answer, of any status, within `timeoutMs`; it connects within
 * `connectTimeoutMs`. (It uses Node's own client and not fetch, because only that distinguishes "never connected" from
 * "sent, no answer" with certainty.)
 * @throws NotSent, CalledOff, AnswerLost
 */
export function exchange(connections: Connections, request: WireRequest, timeouts: Timeouts): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    new Exchange(connections.open(request), request, timeouts, { resolve, reject }).begin();
  });
}

type Stage = 'connecting' | 'asking' | 'sent' | 'answering';

/** The stages of one request, from the connection to the end of its answer. */
class Exchange {
  private stage: Stage | 'over' = 'connecting';
  private connecting: NodeJS.Timeout | undefined;
  private total: NodeJS.Timeout | undefined;

  constructor(
    private readonly outgoing: http.ClientRequest,
    private readonly request: WireRequest,
    private readonly timeouts: Timeouts,
    private readonly caller: { resolve: (answer: WireAnswer) => void; reject: (error: Error) => void },
  ) {}

  begin(): void {
    this.total = setTimeout(() => this.tookTooLong(), this.timeouts.timeoutMs);
    this.outgoing.on('error', this.fail);
    this.outgoing.on('socket', (socket: Socket) => this.connect(socket));
    this.outgoing.on('response', (incoming) => this.answer(incoming));
  }

  private connect(socket: Socket): void {
    if (this.stage === 'over') return;
    if (!socket.connecting) return this.ask();
    const { connectTimeoutMs } = this.timeouts;
    const isLate = () => this.fail(new Error(`no connection within ${connectTimeoutMs} ms`));
    this.connecting = setTimeout(isLate, connectTimeoutMs);
    socket.once(this.request.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      if (this.stage === 'connecting') this.ask();
    });
  }

  /** The connection stands: may the request be sent? */
  private ask(): void {
    clearTimeout(this.connecting);
    this.stage = 'asking';
    const mayGo = mayGoOn(this.request.maySend, this.timeouts.timeoutMs);
    if (typeof mayGo === 'boolean') this.send(mayGo);
    else void mayGo.then((may) => this.send(may));
  }

  private send(mayGo: boolean): void {
    if (this.stage !== 'asking') return;
    if (!mayGo) return this.fail(new CalledOff('it may no longer be sent'));
    this.stage = 'sent';
    this.outgoing.end(this.request.body);
  }

  private answer(incoming: http.IncomingMessage): void {
    this.stage = 'answering';
    wholeBody(incoming, this.fail, (body) => {
      this.end();
      this.caller.resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
    });
  }

  private tookTooLong(): void {
    const { timeoutMs } = this.timeouts;
    if (this.stage === 'asking') this.fail(new CalledOff(`no permission within ${timeoutMs} ms`));
    else this.fail(new Error(`no whole answer within ${timeoutMs} ms`));
  }

  private readonly fail = (cause: Error): void => {
    if (this.stage === 'over') return;
    const failedAt = this.stage;
    this.end();
    this.caller.reject(failure(cause, failedAt, this.outgoing.reusedSocket));
    this.outgoing.destroy();
  };

  private end(): void {
    this.stage = 'over';
    clearTimeout(this.total);
    clearTimeout(this.connecting);
  }
}

/** No byte is written before the caller has allowed it. So after any error until then, nothing was sent. */
function failure(cause: Error, stage: Stage, reusedSocket: boolean): Error {
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
