import { Connections, type HttpRequest } from '../../support/api/connections.js';
import { PASSWORD, type Shop } from './shops.js';

/** Well below what a caller may send. */
const SENDS_EVERY_MS = 25;
/** It is a client at another address, which the attacker's failed logins do not count for. */
const ADDRESS = '127.0.0.2';
const CONNECTIONS = 100;
/** Asked for again when it has been answered: an account may read a few at once only. */
const WHOLE_LIST = '/api/ScheduledOrders';

interface Answered {
  readonly request: string;
  /** What went wrong; null when nothing did. */
  readonly outcome: string | null;
  readonly ms: number;
}

export interface Experience {
  readonly answers: number;
  /** Of all answers, those that came within `promptMs`. */
  readonly promptShare: number;
  /** 99 % of the answers came within this time. */
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Whatever was not answered as it should be, with how often. */
  readonly refused: Readonly<Record<string, number>>;
}

/** A shop at its daily work. It sends when it has something to send, whether or not it has been answered. */
export class HonestClient {
  private readonly connections: Connections;
  private readonly answers: Promise<Answered>[] = [];
  private readonly requests: readonly HttpRequest[];
  private readonly timer: NodeJS.Timeout;
  private isFirst = true;
  private isReadingList = false;

  constructor(
    url: string,
    private readonly shop: Shop,
  ) {
    this.connections = new Connections(url, CONNECTIONS, ADDRESS);
    this.requests = this.work();
    this.timer = setInterval(() => this.next(), SENDS_EVERY_MS);
  }

  /** Waits for all answers. */
  async stop(promptMs: number): Promise<Experience> {
    clearInterval(this.timer);
    const all = await Promise.all(this.answers);
    this.connections.close();
    const refused: Record<string, number> = {};
    for (const { request, outcome } of all) {
      if (outcome === null) continue;
      refused[`${request}: ${outcome}`] = (refused[`${request}: ${outcome}`] ?? 0) + 1;
    }
    const prompt = all.filter(({ ms }) => ms <= promptMs);
    return {
      answers: all.length,
      promptShare: prompt.length / all.length,
      p99Ms: Math.round(all.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(all.length * 0.99)]!),
      slowestMs: Math.round(Math.max(...all.map(({ ms }) => ms))),
      refused,
    };
  }

  /** It logs in once, and then works. */
  private next(): void {
    const { email: Email } = this.shop;
    const login = { Email, Password: PASSWORD, AccessScope: 'Merchant' };
    const request = this.isFirst
      ? { method: 'POST', path: '/api/AccessTokens/Login', headers: JSON_TYPE, body: JSON.stringify(login) }
      : this.requests[this.answers.length % this.requests.length]!;
    this.isFirst = false;
    this.answers.push(request.path === WHOLE_LIST ? this.readList(request) : this.send(request));
  }

  private async readList(request: HttpRequest): Promise<Answered> {
    if (this.isReadingList) return this.send({ ...request, path: `${WHOLE_LIST}?page=1` });
    this.isReadingList = true;
    const answered = await this.send(request);
    this.isReadingList = false;
    return answered;
  }

  private async send(request: HttpRequest): Promise<Answered> {
    const begun = performance.now();
    const name = `${request.method} ${request.path}`;
    try {
      const { status, text, ms } = await this.connections.send(request);
      return { request: name, outcome: status < 300 ? null : `${status} ${detailOf(text)}`, ms };
    } catch (error) {
      return { request: name, outcome: (error as Error).message, ms: performance.now() - begun };
    }
  }

  private work(): readonly HttpRequest[] {
    const { token, customerId, scheduledOrderId } = this.shop;
    const order = `/api/ScheduledOrders/${scheduledOrderId}`;
    const headers = { authorization: `Basic ${token}` };
    const paths = [
      '/health/live',
      '/health/ready',
      `/api/Customers/${customerId}`,
      order,
      WHOLE_LIST,
      '/api/Products?page=1',
      `${order}/ActionLogs`,
    ];
    const put = { method: 'PUT', path: order, headers: { ...headers, ...JSON_TYPE }, body: '{"ShippingCity":"Bath"}' };
    return [...paths.map((path) => ({ method: 'GET', path, headers })), put];
  }
}

/** Of problem details: without the request's id, which no two have in common. */
const detailOf = (text: string) => /"detail":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 100);

const JSON_TYPE = { 'content-type': 'application/json' };
