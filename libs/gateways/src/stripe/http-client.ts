import Stripe from 'stripe';
import { AnswerLost, type WireAnswer } from '../line/exchange.js';
import type { Line } from '../line/line.js';

/** Lets the `stripe` package send over an integration's own line. */
export class LineHttpClient extends Stripe.HttpClient {
  constructor(private readonly line: Line) {
    super();
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
    try {
      const url = new URL(`${protocol}://${host}:${port}${path}`);
      return new LineResponse(await this.line.send({ url, method, headers, body: body ?? '' }));
    } catch (error) {
      // By this code the package repeats the request once, with the same idempotency key, on a fresh connection.
      if (error instanceof AnswerLost && error.idleConnection) Object.assign(error, { code: 'ECONNRESET' });
      throw error;
    }
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
