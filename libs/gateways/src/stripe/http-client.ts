import Stripe from 'stripe';
import type { WireAnswer } from '../line/exchange.js';
import type { Line } from '../line/line.js';

/**
 * Lets the `stripe` package send over an integration's own line. The line's errors have no `code`: by `ECONNRESET` the package
 * would repeat a request by itself, and the repetition's 429 would pass for the answer to a charge that had gone through.
 */
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
    const url = new URL(`${protocol}://${host}:${port}${path}`);
    return new LineResponse(await this.line.send({ url, method, headers, body: body ?? '' }));
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
