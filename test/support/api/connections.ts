import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface TimedAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  /** From the request to the last byte of the answer. */
  readonly ms: number;
}

const HANGS_AFTER_MS = 120_000;

/**
 * Connections that stay open from one request to the next, from an address of this machine. Quicker than fetch, and
 * measured.
 */
export class Connections {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    most: number,
    localAddress?: string,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: most, ...(localAddress && { localAddress }) });
  }

  send({ method, path, headers, body }: HttpRequest): Promise<TimedAnswer> {
    const { hostname, port } = new URL(this.url);
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, headers: { ...headers }, agent: this.agent };
      const sent = request({ ...options, timeout: HANGS_AFTER_MS }, (response) => {
        text(response).then((answered) => {
          const { statusCode: status = 0, headers: received } = response;
          const type = received['content-type'] ?? null;
          resolve({ status, type, text: answered, ms: performance.now() - begun });
        }, reject);
      });
      sent.once('timeout', () => sent.destroy(new Error(`No answer within ${HANGS_AFTER_MS} ms.`)));
      sent.once('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
