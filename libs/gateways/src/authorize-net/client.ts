import type { GatewayCredentials, MaySend } from '../payment-gateway.js';
import type { GatewayClock } from '../throttle/gateway-clock.js';
import { restMs } from '../throttle/retry-after.js';
import type { ThrottledClient } from '../throttle/throttled-client.js';
import type { ApiAnswer } from './wire.js';

const LIVE_URL = 'https://api.authorize.net';
const SANDBOX_URL = 'https://apitest.authorize.net';
const PATH = '/xml/v1/request.api';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Addresses in place of the gateway's own; null or absent: the gateway's own. */
export interface GatewayTwoUrls {
  readonly url?: string | null | undefined;
  /** Of the sandbox. */
  readonly sandboxUrl?: string | null | undefined;
}

/**
 * Where calls go. The mode is a matter of the address alone: nothing in a request of GatewayTwo says it. So calls in
 * TestMode never go to a proxy of the live address: `url` counts for them only where it is a stand-in on the loopback.
 */
export function addressOf({ url, sandboxUrl }: GatewayTwoUrls, testMode: boolean): URL {
  if (!testMode) return new URL(PATH, url ?? LIVE_URL);
  const standIn = url != null && LOOPBACK.test(new URL(url).hostname) ? url : SANDBOX_URL;
  return new URL(PATH, sandboxUrl ?? standIn);
}

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
 * The few calls of Authorize.Net's JSON API that charging needs. (Its own package for Node pins an axios version with
 * open advisories and writes log files. A client for five calls is the smaller risk.) The gateway converts the JSON to
 * XML, so the order of the fields matters.
 */
export class AuthorizeNetClient {
  private readonly url: URL;

  constructor(
    private readonly credentials: GatewayCredentials,
    private readonly line: ThrottledClient,
    urls: GatewayTwoUrls,
  ) {
    this.url = addressOf(urls, credentials.testMode);
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
    if (answer.status === 429) throw new Busy(restMs(answer.headers['retry-after']));
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
