import { createHmac } from 'node:crypto';
import { json, type Reply } from './loopback-server.js';
import { pageOf } from './woocommerce-lists.js';

interface Hook {
  readonly id: number;
  readonly topic: string;
  readonly delivery_url: string;
  secret: string;
  status: 'active' | 'disabled';
  failures: number;
}

/** A shop gives up after so many failures in a row. */
const MOST_FAILURES = 7;

const shown = ({ secret: _, ...hook }: Hook): object => hook;

/** The webhooks of a WooCommerce. Nothing is delivered before its cron runs. */
export class Hooks {
  readonly hooks: Hook[] = [];
  /** A plugin for debugging refuses what it is sent, and shows it. */
  echoes = false;
  private waiting: { readonly topic: string; readonly body: () => object }[] = [];

  /**
   * `GET` and `POST` of `/webhooks`, and `POST` (or `PUT`) of one. The ping of a new one is sent at once, whatever it
   * is answered. Nobody is shown a secret.
   */
  answer(
    method: string,
    id: string | undefined,
    given: { topic?: string; delivery_url?: string; secret?: string; status?: string },
    query: URLSearchParams,
  ): Reply {
    if (this.echoes && method !== 'GET') return json(400, { code: 'debugged', message: JSON.stringify(given) });
    if (method === 'GET') return pageOf(this.hooks, query, { offsetHours: 0, view: shown });
    const known = this.hooks.find((hook) => String(hook.id) === id);
    if (known !== undefined) {
      if (given.status === 'active') Object.assign(known, { status: 'active', failures: 0 });
      if (given.secret !== undefined) known.secret = given.secret;
      return json(200, shown(known));
    }
    const { topic = '', delivery_url = '', secret = '' } = given;
    const hook: Hook = { id: this.hooks.length + 1, topic, delivery_url, secret, status: 'active', failures: 0 };
    this.hooks.push(hook);
    const ping = { method: 'POST', body: new URLSearchParams({ webhook_id: String(hook.id) }) };
    void fetch(delivery_url, ping).catch(() => undefined);
    return json(201, shown(hook));
  }

  /** Something changed in the shop. The body is made when it is delivered. */
  happened(topic: string, body: () => object): void {
    this.waiting.push({ topic, body });
  }

  disableAll(): void {
    for (const hook of this.hooks) hook.status = 'disabled';
  }

  /** As the shop's cron does; a redirect counts as delivered. */
  async runCron(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    for (const { topic, body } of waiting)
      for (const hook of this.hooks)
        if (hook.topic === topic && hook.status === 'active') await this.deliver(hook, body());
  }

  private async deliver(hook: Hook, data: object): Promise<void> {
    const body = JSON.stringify(data);
    const [resource = '', event = ''] = hook.topic.split('.');
    const headers = {
      'content-type': 'application/json',
      'x-wc-webhook-topic': hook.topic,
      'x-wc-webhook-resource': resource,
      'x-wc-webhook-event': event,
      'x-wc-webhook-id': String(hook.id),
      'x-wc-webhook-signature': createHmac('sha256', hook.secret).update(body).digest('base64'),
    };
    const reply = await fetch(hook.delivery_url, { method: 'POST', headers, body, redirect: 'manual' }).catch(
      () => null,
    );
    hook.failures = reply !== null && reply.status >= 200 && reply.status <= 302 ? 0 : hook.failures + 1;
    if (hook.failures >= MOST_FAILURES) hook.status = 'disabled';
  }
}
