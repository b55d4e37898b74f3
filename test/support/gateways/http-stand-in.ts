import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, Faults, type Operation } from './faults.js';
import { ChargeLedger } from './ledger.js';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
  /** Called when the answer is due: after the latency, whether or not it is sent. */
  readonly due?: () => void;
}

export interface Nature {
  readonly operation: Operation;
  /** Who asks: latency and concurrency are counted per account. */
  readonly account: string;
}

/** A payment that the service did not ask for. */
export interface Elsewhere {
  /** Null: a purchase as a guest. */
  readonly customer: string | null;
  readonly card: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly isOlder?: boolean;
  /** GatewayTwo: as the other software numbers it; absent: in a way of its own. */
  readonly invoice?: string;
}

/** A payment gateway on the loopback: what every stand-in shares. Start it with its own `start`. */
export abstract class HttpStandIn {
  readonly ledger = new ChargeLedger();
  /** What the shop's own software charged: `chargeElsewhere`. */
  readonly elsewhere: (Omit<Elsewhere, 'currency' | 'isOlder' | 'invoice'> & {
    readonly transactionId: string;
    readonly atUtc: Date;
  })[] = [];
  readonly faults = new Faults<Fault, Operation>('charge');
  /**
   * Between request and answer; a charge is made at once, its answer comes later. Infinity: the answer is kept until
   * `letGo` is called.
   */
  latencyMs = 0;
  /** The same for single accounts. */
  readonly latencyOf = new Map<string, number>();
  /**
   * After so many charges (`served.charge`) were asked for, answers to further ones are kept until `letGo` is called.
   */
  keepsAfter = Infinity;
  private readonly kept: (() => void)[] = [];
  private readonly held: (() => void)[] = [];
  private receivedMs: number | null = null;
  /** Requests answered or refused so far. */
  readonly served: Record<Operation, number> = { charge: 0, lookUp: 0 };
  /** The most requests of an account that were under way at once. */
  readonly peakUnderWay = new Map<string, number>();
  /** What its clock shows beyond ours: it dates answers and records by it, and ends windows. */
  clockAheadMs = 0;
  private advancedMs = 0;
  /** The `Date` of answers: by its clock, or whatever is given; null: none. */
  dateHeader: string | null = 'right';
  /** How long it takes until a list shows what was charged. */
  listDelayMs = 0;
  /** The last request: versions, idempotency keys; and what was sent last. */
  lastHeaders: http.IncomingHttpHeaders = {};
  lastBody = '';
  private readonly underWay = new Map<string, number>();
  private readonly server = http.createServer((request, response) => this.receive(request, response));
  private address = '';

  /** Where it listens: what GATEWAY_ONE_URL or GATEWAY_TWO_URL is set to. */
  get url(): string {
    return this.address;
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Moves its clock: windows pass, keys are forgotten, what was captured is settled. */
  advance(ms: number): void {
    this.clockAheadMs += ms;
    this.advancedMs += ms;
  }

  /** Time as it passes: a clock that is set right or wrong changes nothing of it. */
  protected elapsedMs(): number {
    return Date.now() + this.advancedMs;
  }

  protected nowMs(): number {
    return Date.now() + this.clockAheadMs;
  }

  /** When what is being done was sent, by the true clock: what was `held` came late. */
  protected sentMs(): number {
    return this.receivedMs ?? Date.now();
  }

  /** Gives the answers that were kept so far; what is asked from then on is answered as `latencyMs` says. */
  letGo(): void {
    this.keepsAfter = Infinity;
    for (const give of this.kept.splice(0)) give();
  }

  /** What was `held` arrives now. */
  letArrive(): void {
    for (const arrive of this.held.splice(0)) arrive();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  protected abstract natureOf(received: ReceivedRequest): Nature;
  protected abstract answer(received: ReceivedRequest, fault: Fault | null): Reply;
  protected abstract rateLimited(): Reply;

  private receive(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.serve(request, response, Buffer.concat(chunks).toString('utf8'));
    });
  }

  private serve(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
    const { method = 'GET', headers } = request;
    const received: ReceivedRequest = { method, url: new URL(request.url ?? '/', this.address), headers, body };
    const receivedMs = Date.now();
    this.lastHeaders = headers;
    if (body !== '') this.lastBody = body;
    const { operation, account } = this.natureOf(received);
    this.served[operation] += 1;
    const isKept = operation === 'charge' && this.served.charge > this.keepsAfter;
    this.count(account, 1);
    response.sendDate = false;
    if (this.dateHeader !== null) {
      response.setHeader('date', this.dateHeader === 'right' ? new Date(this.nowMs()).toUTCString() : this.dateHeader);
    }
    response.once('close', () => this.count(account, -1));

    const fault = this.faults.take(operation);
    const { socket } = request;
    if (fault === 'silentBefore') return;
    if (fault === 'held') {
      this.held.push(() => {
        this.receivedMs = receivedMs;
        const arrived = this.answer(received, null);
        arrived.due?.();
        send(response, arrived);
        this.receivedMs = null;
      });
      return void socket.destroy();
    }
    if (fault === 'loseBefore') return void socket.destroy();
    if (fault === 'resetBefore') return void socket.resetAndDestroy();
    if (fault === 'rateLimited') {
      const headers = { 'retry-after': String(this.faults.retryAfterSeconds) };
      return send(response, { ...this.rateLimited(), headers });
    }
    if (fault === 'unavailable') {
      return send(response, { status: 503, body: '<html><body>503 Service Unavailable</body></html>' });
    }
    const reply = this.answer(received, fault);
    const give = (): void => {
      reply.due?.();
      deliver(response, reply, fault);
    };
    const latencyMs = this.latencyOf.get(account) ?? this.latencyMs;
    if (isKept || latencyMs === Infinity) this.kept.push(give);
    else if (latencyMs > 0) setTimeout(give, latencyMs).unref();
    else give();
  }

  private count(account: string, change: 1 | -1): void {
    const now = (this.underWay.get(account) ?? 0) + change;
    this.underWay.set(account, now);
    if (now > (this.peakUnderWay.get(account) ?? 0)) this.peakUnderWay.set(account, now);
  }
}

function deliver(response: http.ServerResponse, reply: Reply, fault: Fault | null): void {
  const { socket } = response;
  if (fault === 'silentAfter') return;
  if (fault === 'loseAfter') return void socket?.destroy();
  if (fault === 'resetAfter') return void socket?.resetAndDestroy();
  if (fault === 'malformed') return send(response, { ...reply, body: '{"id": "pi_' });
  if (fault !== 'cutShort') return send(response, reply);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.write(reply.body.slice(0, 20), () => socket?.destroy());
}

function send(response: http.ServerResponse, { status, headers, body }: Reply): void {
  const type = body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8';
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
