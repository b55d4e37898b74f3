import { randomBytes } from 'node:crypto';
import type { Fault } from './faults.js';
import { type Elsewhere, HttpStandIn, type Nature, type ReceivedRequest, type Reply } from './http-stand-in.js';
import { secondOf } from './ledger.js';
import { behaviourOf } from './stripe-cards.js';
import { amountFault, decimalOfIntent, type Intent, type IntentChange } from './stripe-intent.js';

interface Remembered {
  readonly request: string;
  readonly sinceMs: number;
  readonly sentMs: number;
  /** Null while the first request is still under way. */
  reply: Reply | null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const PARAMETERS =
  /^(amount|currency|customer|payment_method|confirm|off_session|error_on_requires_action|description|metadata\[(site_id|scheduled_order_id|cycle|attempt|due_utc|installation)\]|automatic_payment_methods\[(enabled|allow_redirects)\])$/;

/**
 * The part of the Stripe API that GatewayOne speaks: PaymentIntents with their idempotency keys, account and balance.
 * Payment method ids that contain a word of stripe-cards.ts are declined that way, ones with `requires_action` are left
 * open, and ids with `missing` do not exist.
 */
export class StripeStandIn extends HttpStandIn {
  /** Keys that are refused (401), and keys that may not read the balance (403). */
  readonly revoked = new Set<string>();
  readonly restricted = new Set<string>();
  /** Keys that may not read charges and payment methods (403). */
  readonly chargesOnly = new Set<string>();
  /** Keys of another account: it has none of the customers and cards. */
  readonly foreign = new Set<string>();
  /** What answers say of their mode; null: what the key says. */
  livemode: boolean | null = null;
  private readonly intents = new Map<string, Intent>();
  private readonly byCustomer = new Map<string, Intent[]>();
  private readonly keys = new Map<string, Remembered>();
  private readonly givenBack: {
    id: string;
    list: string;
    intent: Intent;
    amount: number;
    created: number;
    madeMs: number;
  }[] = [];
  private readonly ownerOf = new Map<string, string | null>();

  static start(port = 0): Promise<StripeStandIn> {
    return new StripeStandIn().listen(port);
  }

  /** Ends what was `undecided`. */
  finish(intentId: string, status: 'succeeded' | 'requires_payment_method'): void {
    const intent = this.intents.get(intentId)!;
    intent.status = status;
    if (status === 'succeeded') this.capture(intent, intent.metadata.account_of_stand_in!);
    else intent.last_payment_error = { code: 'card_declined', decline_code: 'generic_decline', message: 'Declined.' };
  }

  /** As a person does in the dashboard. `amount`: all that is left of it, unless given. */
  refund(intentId: string, amount?: number): void {
    const intent = this.intents.get(intentId)!;
    const { amount_refunded: before = 0 } = intent;
    const refunded = amount ?? intent.amount - before;
    intent.amount_refunded = before + refunded;
    this.giveBack('refunds', intent, refunded);
  }

  /** As the bank of the customer does. */
  dispute(intentId: string): void {
    const intent = this.intents.get(intentId)!;
    intent.disputed = true;
    this.giveBack('disputes', intent, intent.amount);
  }

  private giveBack(list: 'refunds' | 'disputes', intent: Intent, amount: number): void {
    const id = `${list === 'refunds' ? 're' : 'dp'}_${randomBytes(12).toString('hex')}`;
    const created = Math.floor(this.nowMs() / 1_000);
    this.givenBack.push({ id, list, intent, amount, created, madeMs: this.elapsedMs() });
    this.ledger.givenBack.push({ as: list === 'refunds' ? 'refund' : 'dispute', transactionId: intent.id, amount });
  }

  /** Something that no gateway does: what was charged is another thing from now on, or was never there (null). */
  falsify(intentId: string, change: IntentChange | null): void {
    const intent = this.intents.get(intentId)!;
    if (change !== null) {
      Object.assign(intent, change, { metadata: { ...intent.metadata, ...change.metadata } });
      return;
    }
    this.intents.delete(intentId);
    for (const siblings of this.byCustomer.values()) {
      if (siblings.includes(intent)) siblings.splice(siblings.indexOf(intent), 1);
    }
  }

  /** As if a customer had made so many payments elsewhere in the shop. */
  fill(account: string, customer: string, payments: number): void {
    const form = new URLSearchParams({ amount: '500', currency: 'usd', customer, payment_method: 'pm_card_visa' });
    for (let payment = 0; payment < payments; payment += 1) this.newIntent(account, form);
  }

  /** A stored card, attached to a customer; null: detached. */
  attach(card: string, customer: string | null): void {
    this.ownerOf.set(card, customer);
  }

  /**
   * What the shop's own software charges. `isOlder`: without a PaymentIntent, as its older plugins did. @returns the
   * transaction's id.
   */
  chargeElsewhere(account: string, { customer, card, amount, currency, isOlder = false }: Elsewhere): string {
    const form = new URLSearchParams({ amount: String(amount), currency: currency.toLowerCase() });
    form.set('customer', customer ?? '');
    form.set('payment_method', card);
    const intent = this.newIntent(account, form);
    intent.amount_received = intent.amount;
    intent.isOlder = isOlder;
    const transactionId = isOlder ? chargeOf(intent) : intent.id;
    this.elsewhere.push({ transactionId, customer, card, amount, atUtc: new Date(this.nowMs()) });
    return transactionId;
  }

  /** As after 24 hours of its clock: those that were first used before `untilMs` of the true clock, but for some. */
  forgetKeys(untilMs = Infinity, but: ReadonlySet<string> = new Set()): void {
    for (const [key, { sentMs }] of this.keys) {
      if (sentMs < untilMs && !but.has(key.split('\n')[1]!)) this.keys.delete(key);
    }
  }

  get intentIds(): string[] {
    return [...this.intents.keys()];
  }

  /** Still processing: `finish` ends them. */
  get undecidedIds(): string[] {
    return [...this.intents.values()].filter(({ status }) => status === 'processing').map(({ id }) => id);
  }

  statusOf(intentId: string): string | undefined {
    return this.intents.get(intentId)?.status;
  }

  protected natureOf({ method, url, headers }: ReceivedRequest): Nature {
    const charging = method === 'POST' && url.pathname === '/v1/payment_intents';
    return { operation: charging ? 'charge' : 'lookUp', account: accountOf(headers.authorization) };
  }

  protected rateLimited(): Reply {
    return error(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' });
  }

  protected answer(request: ReceivedRequest, fault: Fault | null): Reply {
    const account = accountOf(request.headers.authorization);
    if (!/^(sk|rk)_|^old/.test(account) || this.revoked.has(account)) {
      return error(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${account}` });
    }
    const { pathname } = request.url;
    const [, card] = /^\/v1\/payment_methods\/([^/]+)$/.exec(pathname) ?? [];
    if (request.method === 'GET' && (card || pathname === '/v1/charges')) {
      if (this.chargesOnly.has(account)) return notPermitted();
      return card ? this.method(account, card) : this.chargeList(account, request.url.searchParams);
    }
    const [, list] = /^\/v1\/(refunds|disputes)$/.exec(pathname) ?? [];
    if (request.method === 'GET' && list) {
      if (this.chargesOnly.has(account)) return notPermitted();
      return this.givenBackList(account, list, request.url.searchParams);
    }
    const [, id, action] = /^\/v1\/payment_intents\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (request.method === 'GET' && pathname === '/v1/account') return json({ id: 'acct_1', object: 'account' });
    if (request.method === 'GET' && pathname === '/v1/balance') return this.balance(account);
    if (request.method === 'GET' && pathname === '/v1/payment_intents')
      return this.list(account, request.url.searchParams);
    if (request.method === 'GET' && id && !action) return this.retrieve(account, id);
    if (request.method === 'POST' && pathname === '/v1/payment_intents') return this.once(account, request, fault);
    if (request.method === 'POST' && id && action === 'cancel') return this.cancel(id, request.body);
    return error(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${pathname}).` });
  }

  /** The same key has the same answer for ever, a 500 included; other parameters under it are an error. */
  private once(account: string, request: ReceivedRequest, fault: Fault | null): Reply {
    const name = request.headers['idempotency-key'];
    if (typeof name !== 'string') throw new Error('A charge came without an idempotency key.');
    const key = `${account}\n${name}`;
    const remembered = this.keys.get(key);
    const known = remembered && this.nowMs() - remembered.sinceMs < DAY_MS ? remembered : undefined;
    if (known && known.request !== request.body) {
      const message = `Keys for idempotent requests can only be used with the same parameters: '${name}'`;
      return error(400, { type: 'idempotency_error', message });
    }
    if (known?.reply === null) {
      return error(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use.' });
    }
    if (known?.reply) return { ...known.reply, headers: { ...known.reply.headers, 'idempotent-replayed': 'true' } };
    const form = new URLSearchParams(request.body);
    const invalid = this.invalid(form);
    if (invalid) return invalid;
    const first: Remembered = { request: request.body, sinceMs: this.nowMs(), sentMs: this.sentMs(), reply: null };
    this.keys.set(key, first);
    const reply = this.create(account, form, fault);
    return { ...reply, due: () => (first.reply = reply) };
  }

  private invalid(form: URLSearchParams): Reply | null {
    const stray = [...form.keys()].find((parameter) => !PARAMETERS.test(parameter));
    if (stray) return badRequest('parameter_unknown', stray, `Received unknown parameter: ${stray}`);
    for (const needed of ['amount', 'currency', 'customer', 'payment_method', 'confirm', 'off_session']) {
      if (!form.get(needed)) return badRequest('parameter_missing', needed, `Missing required param: ${needed}.`);
    }
    const fault = amountFault(form.get('amount')!, form.get('currency')!);
    return fault && badRequest(fault.code, fault.param, fault.message);
  }

  private create(account: string, form: URLSearchParams, fault: Fault | null): Reply {
    for (const param of ['customer', 'payment_method']) {
      const id = form.get(param)!;
      if (id.includes('missing') || this.foreign.has(account))
        return badRequest('resource_missing', param, `No such ${param}: '${id}'`);
    }
    if (fault === 'errorBefore') return serverError();
    const intent = this.newIntent(account, form);
    const behaviour = behaviourOf(intent.payment_method);
    if (fault === 'undecided') intent.status = 'processing';
    else if (intent.payment_method.includes('requires_action')) intent.status = 'requires_action';
    else if (behaviour) {
      const { code, declineCode, adviceCode, message } = behaviour;
      const facts = { type: 'card_error', code, decline_code: declineCode, advice_code: adviceCode, message };
      intent.status = 'requires_payment_method';
      intent.last_payment_error = facts;
      return fault === 'errorAfter' ? serverError() : error(402, { ...facts, payment_intent: view(intent) });
    } else this.capture(intent, account);
    return fault === 'errorAfter' ? serverError() : json(view(intent));
  }

  private newIntent(account: string, form: URLSearchParams): Intent {
    const metadata: Record<string, string> = { account_of_stand_in: account };
    for (const [name, value] of form) {
      const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      if (field) metadata[field] = value;
    }
    const intent: Intent = {
      id: `pi_${randomBytes(12).toString('hex')}`,
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      amount_received: 0,
      currency: form.get('currency')!,
      customer: form.get('customer')!,
      payment_method: form.get('payment_method')!,
      created: Math.floor(this.nowMs() / 1_000),
      madeMs: this.elapsedMs(),
      sentMs: this.sentMs(),
      description: form.get('description'),
      livemode: this.modeOf(account),
      metadata,
      status: 'succeeded',
      cancellation_reason: null,
      last_payment_error: null,
    };
    this.intents.set(intent.id, intent);
    const customer = `${account}\n${intent.customer}`;
    const siblings = this.byCustomer.get(customer);
    if (siblings) siblings.push(intent);
    else this.byCustomer.set(customer, [intent]);
    return intent;
  }

  private capture(intent: Intent, account: string): void {
    const { due_utc, cycle, installation = '' } = intent.metadata;
    intent.amount_received = intent.amount;
    this.ledger.add({
      account,
      transactionId: intent.id,
      scheduledOrderId: Number(intent.metadata.scheduled_order_id),
      dueUtc: due_utc === undefined ? `cycle ${cycle}` : secondOf(due_utc),
      installation,
      attempt: Number(intent.metadata.attempt),
      amount: decimalOfIntent(intent),
      currencyIso: intent.currency.toUpperCase(),
      atUtc: new Date(),
      sentMs: intent.sentMs,
      gatewayCustomerId: intent.customer,
      gatewayPaymentId: intent.payment_method,
    });
  }

  private list(account: string, query: URLSearchParams): Reply {
    const customer = query.get('customer');
    if (customer && (customer.includes('missing') || this.foreign.has(account))) {
      return badRequest('resource_missing', 'customer', `No such customer: '${customer}'`);
    }
    const since = Number(query.get('created[gte]') ?? 0);
    const limit = Number(query.get('limit') ?? 10);
    if (!(limit >= 1 && limit <= 100)) return badRequest('parameter_invalid_integer', 'limit', 'Invalid limit.');
    const ofAccount = customer
      ? (this.byCustomer.get(`${account}\n${customer}`) ?? [])
      : [...this.intents.values()].filter(({ metadata }) => metadata.account_of_stand_in === account);
    const shownUntilMs = this.elapsedMs() - this.listDelayMs;
    const newestFirst = ofAccount
      .filter(({ created, madeMs }) => created >= since && madeMs <= shownUntilMs)
      .reverse()
      .sort((one, other) => other.created - one.created);
    const after = query.get('starting_after');
    const from = after ? newestFirst.findIndex(({ id }) => id === after) + 1 : 0;
    const page = newestFirst.slice(from, from + limit);
    const has_more = from + limit < newestFirst.length;
    return json({ object: 'list', url: '/v1/payment_intents', has_more, data: page.filter(isIntent).map(view) });
  }

  /** Every sending of a PaymentIntent that reached a card has a charge, failed or not. */
  private chargeList(account: string, query: URLSearchParams): Reply {
    const limit = Number(query.get('limit') ?? 10);
    if (!(limit >= 1 && limit <= 100)) return badRequest('parameter_invalid_integer', 'limit', 'Invalid limit.');
    const shownUntilMs = this.elapsedMs() - this.listDelayMs;
    const only = query.get('payment_intent');
    const newestFirst = [...this.intents.values()]
      .filter(({ id, metadata, status, madeMs }) => {
        if (only !== null && id !== only) return false;
        return metadata.account_of_stand_in === account && status !== 'requires_action' && madeMs <= shownUntilMs;
      })
      .reverse()
      .sort((one, other) => other.created - one.created);
    const after = query.get('starting_after');
    const from = after ? newestFirst.findIndex((intent) => chargeOf(intent) === after) + 1 : 0;
    const page = newestFirst.slice(from, from + limit);
    const has_more = from + limit < newestFirst.length;
    return json({ object: 'list', url: '/v1/charges', has_more, data: page.map(chargeView) });
  }

  private givenBackList(account: string, list: string, query: URLSearchParams): Reply {
    const limit = Number(query.get('limit') ?? 10);
    if (!(limit >= 1 && limit <= 100)) return badRequest('parameter_invalid_integer', 'limit', 'Invalid limit.');
    const shownUntilMs = this.elapsedMs() - this.listDelayMs;
    const newestFirst = this.givenBack
      .filter(
        (one) => one.list === list && one.intent.metadata.account_of_stand_in === account && one.madeMs <= shownUntilMs,
      )
      .reverse()
      .sort((one, other) => other.created - one.created);
    const after = query.get('starting_after');
    const from = after ? newestFirst.findIndex(({ id }) => id === after) + 1 : 0;
    const page = newestFirst.slice(from, from + limit).map(({ id, intent, amount, created }) => ({
      id,
      object: list === 'refunds' ? 'refund' : 'dispute',
      amount,
      created,
      charge: query.get('expand[]') === 'data.charge' ? chargeView(intent) : chargeOf(intent),
      payment_intent: intent.id,
    }));
    return json({ object: 'list', url: `/v1/${list}`, has_more: from + limit < newestFirst.length, data: page });
  }

  private method(account: string, id: string): Reply {
    const customer = this.foreign.has(account) ? undefined : this.ownerOf.get(id);
    if (customer !== undefined) return json({ id, object: 'payment_method', type: 'card', customer });
    const message = `No such PaymentMethod: '${id}'`;
    return error(404, { type: 'invalid_request_error', code: 'resource_missing', message });
  }

  private retrieve(account: string, id: string): Reply {
    const intent = this.intents.get(id);
    if (intent?.metadata.account_of_stand_in === account) return json(view(intent));
    const message = `No such payment_intent: '${id}'`;
    return error(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'intent', message });
  }

  private cancel(id: string, body: string): Reply {
    const intent = this.intents.get(id)!;
    if (intent.status === 'succeeded') {
      return badRequest('payment_intent_unexpected_state', '', 'You cannot cancel this PaymentIntent.');
    }
    intent.status = 'canceled';
    intent.cancellation_reason = new URLSearchParams(body).get('cancellation_reason');
    return json(view(intent));
  }

  private balance(account: string): Reply {
    if (!this.restricted.has(account)) return json({ object: 'balance', livemode: this.modeOf(account) });
    return notPermitted();
  }

  private modeOf(account: string): boolean {
    return this.livemode ?? account.includes('_live_');
  }
}

function notPermitted(): Reply {
  return error(403, { type: 'invalid_request_error', message: 'The key does not have the required permissions.' });
}

/** A charge without a PaymentIntent is in no list of them. */
const isIntent = ({ isOlder }: Intent) => isOlder !== true;

const chargeOf = ({ id }: Intent) => id.replace('pi_', 'ch_');

function chargeView(intent: Intent): object {
  const { amount, amount_received, created, currency, customer, payment_method, status, isOlder, metadata } = intent;
  const { account_of_stand_in: _, ...sent } = metadata;
  const state = { succeeded: 'succeeded', processing: 'pending' }[status as string] ?? 'failed';
  return {
    id: chargeOf(intent),
    object: 'charge',
    amount,
    amount_captured: amount_received,
    amount_refunded: intent.amount_refunded ?? 0,
    disputed: intent.disputed ?? false,
    captured: state === 'succeeded',
    created,
    currency,
    customer: customer || null,
    payment_intent: isOlder === true ? null : intent.id,
    payment_method,
    status: state,
    metadata: sent,
  };
}

function view({
  metadata,
  madeMs: _made,
  sentMs: _sent,
  isOlder: _older,
  amount_refunded: _refunded,
  disputed: _disputed,
  ...intent
}: Intent): object {
  const { account_of_stand_in: _, ...sent } = metadata;
  return { ...intent, metadata: sent };
}

function accountOf(authorization: string | undefined): string {
  return (authorization ?? '').replace(/^Bearer /, '');
}

function json(value: object): Reply {
  return { status: 200, headers: { 'request-id': 'req_stand_in' }, body: JSON.stringify(value) };
}

function error(status: number, fault: object): Reply {
  return { ...json({ error: fault }), status };
}

function badRequest(code: string, param: string, message: string): Reply {
  return error(400, { type: 'invalid_request_error', code, param, message });
}

function serverError(): Reply {
  return error(500, { type: 'api_error', message: 'Sorry! There was an error while talking to one of our backends.' });
}
