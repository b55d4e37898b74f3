import type { GatewayCredentials, MaySend } from '../payment-gateway.js';
import type { GatewayClock } from '../throttle/gateway-clock.js';
import { retryAfterMs } from '../throttle/retry-after.js';
import type { ThrottledClient } from '../throttle/throttled-client.js';
import type { ApiAnswer } from './wire.js';

const LIVE_URL = 'https://api.authorize.net';
const SANDBOX_URL = 'https://apitest.authorize.net';
const PATH = '/xml/v1/request.api';

/** Where calls go. `url` overrides scheme, host and port; without it the mode decides. */
export const addressOf = (url: string | null, testMode: boolean) =>
  new URL(PATH, url ?? (testMode ? SANDBOX_URL : LIVE_URL));

/** The gateway's answer cannot be read: a 5xx, an HTML page, broken data. */
export class NoApiAnswer extends Error {
  override readonly name = 'NoApiAnswer';

  constructor(readonly status: number) {
    super(status === 200 ? 'an answer that is not JSON' : `HTTP ${status}`);
  }
}

/** 429: nothing was done. */
export class Busy extends Error {
  override readonly name = 'Busy';

  constructor(readonly retryAfterMs: number) {
    super('HTTP 429');
  }
}

/**
 * The few calls of Authorize.Net's JSON API that charging needs. (Its own package for Node pins an axios version with open advisories and writes log
 * files. A client for five calls is the smaller risk.) The gateway converts the JSON to XML, so the order of the fields matters.
 */
export class AuthorizeNetClient {
  private readonly url: URL;

  constructor(
    private readonly credentials: GatewayCredentials,
    private readonly line: ThrottledClient,
    url: string | null,
  ) {
    this.url = addressOf(url, credentials.testMode);
  }

  get clock(): GatewayClock {
    return this.line.clock;
  }

  /** @throws Busy, NoApiAnswer, and the errors of the throttled client. */
  async call<Answer extends ApiAnswer>(
    request: string,
    fields: Readonly<Record<string, unknown>>,
    maySend?: MaySend,
  ): Promise<Answer> {
    const merchantAuthentication = {
      name: this.credentials.apiAccount,
      transactionKey: this.credentials.apiKey1,
    };
    const answer = await this.line.send({
      operation: request,
      url: this.url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ [request]: { merchantAuthentication, ...fields } }),
      maySend,
    });
    if (answer.status === 429) throw new Busy(retryAfterMs(answer.headers['retry-after']));
    if (answer.status !== 200) throw new NoApiAnswer(answer.status);
    return parse<Answer>(answer.body);
  }
}

/** Answers begin with a byte-order mark. */
function parse<Answer extends ApiAnswer>(body: string): Answer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.replace(/^\uFEFF/, ''));
  } catch {
    throw new NoApiAnswer(200);
  }
  if (typeof parsed !== 'object' || parsed === null) throw new NoApiAnswer(200);
  return parsed as Answer;
}

/** The first message's code: I00001 when all is well. */
export function codeOf(answer: ApiAnswer): string {
  return answer.messages?.message?.[0]?.code ?? '';
}

export function isOk(answer: ApiAnswer): boolean {
  return answer.messages?.resultCode === 'Ok';
}
