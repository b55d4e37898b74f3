import Stripe from 'stripe';
import type { MaySend } from '../payment-gateway.js';
import type { WireAnswer } from '../throttle/exchange.js';
import type { ThrottledClient } from '../throttle/throttled-client.js';
import { encodedForm, type Form } from './form.js';

/** Pinned: with each version of the package the meaning of answers is reviewed again. */
const API_VERSION = '2026-10-28.endive';
const INTENTS = '/v1/payment_intents';

/** What the package would say about itself: the gateway reads there for which version this was written. */
const USER_AGENT = {
  'User-Agent': `Stripe/v1 NodeBindings/${Stripe.PACKAGE_VERSION}`,
  'X-Stripe-Client-User-Agent': JSON.stringify({
    bindings_version: Stripe.PACKAGE_VERSION,
    lang: 'node',
    typescript: 'false',
    lang_version: process.version,
    httplib: 'line',
  }),
};

interface ApiRequest {
  /** The method and the path, without the ids in it. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly form?: Form;
  readonly idempotencyKey?: string;
  readonly maySend?: MaySend | undefined;
}

/**
 * The requests of the Stripe API, each sent exactly once through an integration's throttled client. Types and errors
 * are the `stripe` package's, the sending is not: the package repeats a request whose connection was closed, however it
 * is configured, and then the answer to the repetition would look like the answer to a charge. All methods throw the
 * errors of the throttled client, or `Stripe.errors.StripeError` for an answer that says so.
 */
export class StripeApi {
  private readonly origin: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly authorization: string;

  /** Of `url`, only the scheme, the host and the port count. */
  constructor(
    private readonly line: ThrottledClient,
    url: string,
    secretKey: string,
  ) {
    this.origin = new URL(url).origin;
    this.headers = {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...USER_AGENT,
      'Stripe-Version': API_VERSION,
    };
    this.authorization = `Bearer ${secretKey}`;
  }

  /** `maySend` is asked before the first byte is written. */
  createIntent(form: Form, idempotencyKey: string, maySend?: MaySend): Promise<Stripe.PaymentIntent> {
    const operation = `POST ${INTENTS}`;
    return this.send({ operation, method: 'POST', path: INTENTS, form, idempotencyKey, maySend });
  }

  cancelIntent(id: string): Promise<Stripe.PaymentIntent> {
    const form = { cancellation_reason: 'abandoned' };
    const operation = `POST ${INTENTS}/{id}/cancel`;
    return this.send({ operation, method: 'POST', path: `${INTENTS}/${encodeURIComponent(id)}/cancel`, form });
  }

  intent(id: string): Promise<Stripe.PaymentIntent> {
    return this.get(`${INTENTS}/{id}`, `${INTENTS}/${encodeURIComponent(id)}`);
  }

  intents(query: Form): Promise<Stripe.ApiList<Stripe.PaymentIntent>> {
    return this.get(INTENTS, `${INTENTS}?${encodedForm(query)}`);
  }

  charges(query: Form): Promise<Stripe.ApiList<Stripe.Charge>> {
    return this.get('/v1/charges', `/v1/charges?${encodedForm(query)}`);
  }

  /** Newest first, each with its charge. */
  givenBack(list: 'refunds' | 'disputes', query: Form): Promise<Stripe.ApiList<Stripe.Refund | Stripe.Dispute>> {
    return this.get(`/v1/${list}`, `/v1/${list}?${encodedForm({ ...query, 'expand[]': 'data.charge' })}`);
  }

  paymentMethod(id: string): Promise<Stripe.PaymentMethod> {
    return this.get('/v1/payment_methods/{id}', `/v1/payment_methods/${encodeURIComponent(id)}`);
  }

  balance(): Promise<Stripe.Balance> {
    return this.get('/v1/balance', '/v1/balance');
  }

  private get<Resource>(route: string, path: string): Promise<Resource> {
    return this.send({ operation: `GET ${route}`, method: 'GET', path });
  }

  private async send<Resource>({
    operation,
    method,
    path,
    form,
    idempotencyKey,
    maySend,
  }: ApiRequest): Promise<Resource> {
    const body = form ? encodedForm(form) : '';
    const headers = {
      ...this.headers,
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(form ? { 'Content-Length': Buffer.byteLength(body) } : {}),
      Authorization: this.authorization,
    };
    const url = new URL(path, this.origin);
    return resourceOf(await this.line.send({ operation, url, method, headers, body, maySend })) as Resource;
  }
}

/**
 * The resource that an answer consists of. Its content is not checked: an unknown state has an outcome of its own.
 * @throws Stripe.errors.StripeError for an error, or for no JSON; Error for JSON that is not in the form of the Stripe
 * API
 */
function resourceOf({ status, headers, body }: WireAnswer): object {
  const requestId = headers['request-id'];
  const about = typeof requestId === 'string' ? { requestId } : {};
  const answer = parsed(body, about);
  if (!isObject(answer)) throw new Error('neither a resource nor an error');
  const error = 'error' in answer && answer.error;
  if (!error) return answer;
  if (!isObject(error)) throw new Error('an error without its details');
  throw Stripe.errors.StripeError.generate({
    ...error,
    ...about,
    headers: headers as Record<string, string>,
    statusCode: status,
  });
}

function parsed(body: string, about: { readonly requestId?: string }): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Stripe.errors.StripeAPIError({ ...about, message: 'Invalid JSON received from the Stripe API' });
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
