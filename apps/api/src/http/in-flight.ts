import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problem, PROBLEM_TYPE } from './problem.js';

/** Requests of one connection that are worked on at once. */
const PER_CONNECTION = 16;
const RETRY_AFTER_SECONDS = 5;
const HEALTH = /^\/health\//;

type Response = Parameters<RequestListener>[1];

/** A connection, as long as it is open. */
interface Connection {
  readonly socket: Socket;
  /** Requests without a finished answer, whatever became of them. */
  unanswered: number;
  /** Of these, the ones that count for the process; and the ones that have been begun. */
  counted: number;
  working: number;
  readonly waiting: (() => void)[];
  isReading: boolean;
  isOpen: boolean;
}

/**
 * Bounds what clients can have under way by sending without waiting for answers (pipelining): of one connection so many
 * requests are begun at once, those that have arrived with them wait, and what is beyond stays in the socket, unread. The process
 * as a whole answers 503 beyond its own bound, except to those who ask how it is.
 */
export class RequestsInFlight {
  private readonly connections = new WeakMap<Socket, Connection>();
  private inFlight = 0;

  constructor(
    private readonly most: number,
    private readonly baseUrl: string,
  ) {}

  /** `handle`, begun only for requests that there is room for. */
  bound(handle: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.connectionOf(request.socket);
      connection.unanswered++;
      if (connection.unanswered > PER_CONNECTION) stopReading(connection);
      if (this.inFlight >= this.most && !HEALTH.test(request.url ?? '')) {
        response.once('close', () => this.answered(connection));
        refuse(response, this.baseUrl);
        return;
      }
      this.inFlight++;
      connection.counted++;
      this.begin(connection, handle, request, response);
    };
  }

  private begin(connection: Connection, handle: RequestListener, request: IncomingMessage, response: Response) {
    const work = () => {
      connection.working++;
      response.once('close', () => {
        if (!connection.isOpen) return;
        connection.working--;
        connection.counted--;
        this.inFlight--;
        this.answered(connection);
      });
      handle(request, response);
    };
    if (connection.working < PER_CONNECTION) work();
    else connection.waiting.push(work);
  }

  /** The next one begins in the next turn, so that other connections get theirs in between. */
  private answered(connection: Connection): void {
    if (!connection.isOpen) return;
    connection.unanswered--;
    if (connection.waiting.length > 0) {
      setImmediate(() => {
        if (connection.isOpen && connection.working < PER_CONNECTION) connection.waiting.shift()?.();
      });
    } else if (connection.unanswered <= PER_CONNECTION) goOnReading(connection);
  }

  private connectionOf(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known !== undefined) return known;
    const made: Connection = {
      socket,
      unanswered: 0,
      counted: 0,
      working: 0,
      waiting: [],
      isReading: true,
      isOpen: true,
    };
    this.connections.set(socket, made);
    // Answers that wait behind others are told nothing when their connection ends.
    socket.once('close', () => {
      made.isOpen = false;
      made.waiting.length = 0;
      this.inFlight -= made.counted;
    });
    return made;
  }
}

/** Node resumes a socket whenever a request has been read, or an answer written: here that must wait. */
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
  delete (socket as Partial<Socket>).resume; // its class's own again
  socket.resume();
}

function refuse(response: ServerResponse, baseUrl: string): void {
  const id = randomUUID();
  const detail = 'The service works on as many requests as it may at once: repeat yours later.';
  response.writeHead(503, {
    'content-type': PROBLEM_TYPE,
    'retry-after': String(RETRY_AFTER_SECONDS),
    'cache-control': 'no-store',
    'x-request-id': id,
  });
  response.end(JSON.stringify(problem(baseUrl, 503, detail, id)));
}
