import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** What happens to a connection instead of a reply, or to a reply on its way. */
export type OnTheWay = Reply | 'dropped' | { readonly lost: Reply } | { readonly bodyLost: Reply };

/** A shop on the loopback: what its stand-ins share. */
export abstract class LoopbackServer {
  /** What was asked for, in order: method and path. */
  readonly requests: string[] = [];
  /** Requests that are being served, also those whose client has gone. */
  underWay = 0;
  private readonly server = http.createServer((request, response) => this.receive(request, response));
  private address = '';

  get url(): string {
    return this.address;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  protected abstract serve(request: ServedRequest): Promise<OnTheWay>;

  /** Goes on, although its client has its answer. */
  protected goesOn(work: Promise<unknown>): void {
    this.underWay += 1;
    void work.finally(() => (this.underWay -= 1));
  }

  private receive(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', headers } = request;
      const url = new URL(request.url ?? '/', this.address);
      this.requests.push(`${method} ${url.pathname}`);
      const body = Buffer.concat(chunks).toString('utf8');
      this.underWay += 1;
      void this.serve({ method, url, headers, body })
        .then((reply) => give(response, reply))
        .finally(() => (this.underWay -= 1));
    });
  }
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify(body),
});

function give(response: http.ServerResponse, onTheWay: OnTheWay): void {
  if (onTheWay === 'dropped' || 'lost' in onTheWay) return void response.destroy();
  const { status, headers, body } = 'bodyLost' in onTheWay ? onTheWay.bodyLost : onTheWay;
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
  if (!('bodyLost' in onTheWay)) return void response.end(body);
  response.write(body.slice(0, 20), () => response.destroy());
}
