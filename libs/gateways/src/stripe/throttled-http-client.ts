import Stripe from 'stripe';
import type { MaySend } from '../payment-gateway.js';
import type { WireAnswer } from '../throttle/exchange.js';
import type { ThrottledClient } from '../throttle/throttled-client.js';

/**
 * Lets the `stripe` package send through an integration's throttled client. That client's errors have no `code`: after `ECONNRESET` the package would
 * repeat a request by itself, and a 429 to the repetition would look like the answer to a charge that had succeeded.
 */
export class ThrottledHttpClient extends Stripe.HttpClient {
  /** The checks of charges in progress, by idempotency key. */
  private readonly guards = new Map<string, MaySend>();

  constructor(private readonly line: ThrottledClient) {
    super();
  }

  /** Requests of `work` with this key are sent only while `maySend` allows it. */
  async guarded<T>(idempotencyKey: string, maySend: MaySend | undefined, work: () => Promise<T>): Promise<T> {
    if (maySend) this.guards.set(idempotencyKey, maySend);
    try {
      return await work();
    } finally {
      this.guards.delete(idempotencyKey);
    }
  }

  override getClientName(): string {
    return 'line';
  }

  override async makeRequest(
    host: string,
    port: string,
    path: string,
    method: string,
    headers: Record<string, string | string[] | number>,
    body: string,
    protocol: string,
  ): Promise<LineResponse> {
    const url = new URL(`${protocol}://${host}:${port}${path}`);
    const maySend = this.guards.get(String(headers['Idempotency-Key']));
    return new LineResponse(await this.line.send({ url, method, headers, body: body ?? '', maySend }));
  }
}

class LineResponse extends Stripe.HttpClientResponse {
  constructor(private readonly answer: WireAnswer) {
    super(answer.status, answer.headers as Record<string, string>);
  }

  override getRawResponse(): unknown {
    return { statusCode: this.answer.status };
  }

  override toJSON(): Promise<unknown> {
    return Promise.resolve().then(() => JSON.parse(this.answer.body) as unknown);
  }
}
