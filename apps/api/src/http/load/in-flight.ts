import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problem, PROBLEM_TYPE } from '../problems/problem.js';

/** Requests of one connection that are worked on at once. */
const PER_CONNECTION = 16;
/**
 * Bodies of more than this size are counted, and this many bytes of them may be in memory at once. All smaller ones
 * together need less than that.
 */
const SMALL_BODY = 64 * 1024;
const MOST_BODY_BYTES = 32 * 1024 * 1024;
/** A body without a length counts as the largest allowed body. */
const LARGEST_BODY = 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;
const HEALTH = /^\/health\//;

type Response = Parameters<RequestListener>[1];

/** An open connection. */
interface Connection {
  readonly socket: Socket;
  /** Requests without a finished answer. */
  unanswered: number;
  /** Those of them that have been started. */
  working: number;
  /** Bytes of the large bodies of its requests. */
  bodyBytes: number;
  readonly waiting: (() => void)[];
  isReading: boolean;
  isOpen: boolean;
}

/**
 * Limits requests in progress of clients that send without waiting for answers (pipelining). Only some requests of one
 * connection are started at once; others that have arrived wait, and the rest stays unread in the socket. Above its own
 * limits the whole process answers 503, except to health checks. Requests that wait for others of their connection have
 * a separate limit, so that they take no place from clients that send one request at a time.
 */
export class RequestsInFlight {
  private readonly connections = new WeakMap<Socket, Connection>();
  private working = 0;
  private refused = 0;
  private waiting = 0;
  private bodyBytes = 0;

  constructor(
    private readonly most: number,
    private readonly baseUrl: string,
  ) {}

  /**
   * Requests that are worked on, the most that may be, and how many were refused so far because there was no room for
   * them.
   */
  get counts() {
    const { working, most, refused } = this;
    return { working, most, refused };
  }

  /** Calls `handle` only for requests that there is room for. */
  bound(handle: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.connectionOf(request.socket);
      connection.unanswered++;
      if (connection.unanswered > PER_CONNECTION) stopReading(connection);
      const bodyBytes = largeBodyBytes(request);
      if (this.isFull(connection, bodyBytes) && !HEALTH.test(request.url ?? '')) {
        this.refused++;
        response.once('close', () => this.answered(connection));
        refuse(response, this.baseUrl);
        return;
      }
      this.bodyBytes += bodyBytes;
      connection.bodyBytes += bodyBytes;
      this.begin(connection, handle, request, response, bodyBytes);
    };
  }

  private isFull(connection: Connection, bodyBytes: number): boolean {
    if (bodyBytes > 0 && this.bodyBytes + bodyBytes > MOST_BODY_BYTES) return true;
    return (connection.working < PER_CONNECTION ? this.working : this.waiting) >= this.most;
  }

  private begin(
    connection: Connection,
    handle: RequestListener,
    request: IncomingMessage,
    response: Response,
    bodyBytes: number,
  ) {
    const work = () => {
      connection.working++;
      this.working++;
      response.once('close', () => {
        if (!connection.isOpen) return;
        connection.working--;
        this.working--;
        connection.bodyBytes -= bodyBytes;
        this.bodyBytes -= bodyBytes;
        this.answered(connection);
      });
      handle(request, response);
    };
    if (connection.working < PER_CONNECTION) return work();
    connection.waiting.push(work);
    this.waiting++;
  }

  /**
   * The next request starts in the next turn of the event loop, so that other connections get their turn in between.
   */
  private answered(connection: Connection): void {
    if (!connection.isOpen) return;
    connection.unanswered--;
    if (connection.waiting.length > 0) {
      setImmediate(() => {
        if (!connection.isOpen || connection.working >= PER_CONNECTION) return;
        const next = connection.waiting.shift();
        if (next === undefined) return;
        this.waiting--;
        next();
      });
    } else if (connection.unanswered <= PER_CONNECTION) goOnReading(connection);
  }

  private connectionOf(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known !== undefined) return known;
    const made: Connection = {
      socket,
      unanswered: 0,
      working: 0,
      bodyBytes: 0,
      waiting: [],
      isReading: true,
      isOpen: true,
    };
    this.connections.set(socket, made);
    // An answer that waits for others of its connection gets no event when the connection ends.
    socket.once('close', () => {
      made.isOpen = false;
      this.working -= made.working;
      this.waiting -= made.waiting.length;
      this.bodyBytes -= made.bodyBytes;
      made.waiting.length = 0;
    });
    return made;
  }
}

/** The length that a large body declares. */
function largeBodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return LARGEST_BODY;
  const bytes = Number(headers['content-length'] ?? 0);
  // A body that is too large is refused before it is read.
  return bytes > SMALL_BODY && bytes <= LARGEST_BODY ? bytes : 0;
}

/** Node resumes a socket whenever a request has been read or an answer written. Here it must wait. */
function stopReading(connection: Connection): void {
  if (!connection.isReading) return;
  connection.isReading = false;
  const { socket } = connection;
  socket.resume = () => socket;
  socket.pause();
}

function goOnReading(connection: Connection): void {
  if (connection.isReading) return;
  connection.isReading = true;
  const { socket } = connection;
  delete (socket as Partial<Socket>).resume; // restores the method of its class
  socket.resume();
}

function refuse(response: ServerResponse, baseUrl: string): void {
  const id = randomUUID();
  const detail = 'The service is working on the highest number of requests that it allows at once: repeat yours later.';
  response.writeHead(503, {
    'content-type': PROBLEM_TYPE,
    'retry-after': String(RETRY_AFTER_SECONDS),
    'cache-control': 'no-store',
    'x-request-id': id,
  });
  response.end(JSON.stringify(problem(baseUrl, 503, detail, id)));
}
