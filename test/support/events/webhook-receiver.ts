import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request that a receiver has got. */
export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly headers: Record<string, string>;
  /** As it came. */
  readonly body: string;
  readonly path: string;
}

/** What a receiver does with one request. */
export type Reaction = (reply: http.ServerResponse, received: Received) => void;

export const answers =
  (status: number, headers: Record<string, string> = {}, text = 'noted'): Reaction =>
  (reply) =>
    void reply.writeHead(status, headers).end(text);

/** A receiver of webhooks on the loopback. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** The next reactions, one per request; afterwards `always`. */
  readonly next: Reaction[] = [];
  always: Reaction = answers(204, {}, '');
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = http.createServer();
    const receiver = new WebhookReceiver(server);
    server.on('connection', (socket) => receiver.sockets.add(socket));
    server.on('request', (request, reply) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => receiver.take(request, Buffer.concat(chunks).toString(), reply));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Those with this path, which tells endpoints of one receiver apart. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  private take(request: http.IncomingMessage, body: string, reply: http.ServerResponse): void {
    const headers = request.headers as Record<string, string>;
    const received = {
      id: headers['webhook-id']!,
      timestamp: headers['webhook-timestamp']!,
      signature: headers['webhook-signature']!,
      headers,
      body,
      path: request.url!,
    };
    this.received.push(received);
    (this.next.shift() ?? this.always)(reply, received);
  }
}
