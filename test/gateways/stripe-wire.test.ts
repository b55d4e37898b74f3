import net from 'node:net';
import fc from 'fast-check';
import Stripe from 'stripe';
import { Gateways, type PaymentGateway } from '#libs/gateways';
import { gatewayOneCredentials, givenCharge } from './given-charge.js';

const API_VERSION = '2026-10-28.endive';
const INTENT = { id: 'pi_1', object: 'payment_intent', metadata: {}, livemode: false, last_payment_error: null };
const EMPTY_LIST = { object: 'list', data: [], has_more: false, url: '/v1/payment_intents' };

/** Keeps the bytes of every request, and answers as `answers` says, by the request line. */
class Recorder {
  readonly requests: string[] = [];
  answers: (line: string) => string = answerOf;
  private readonly sockets = new Set<net.Socket>();
  private readonly server = net.createServer((socket) => {
    this.sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
      if (!text.includes('\r\n\r\n') || body.length < length) return;
      this.requests.push(text);
      const answer = this.answers(head.split('\r\n')[0]!);
      text = '';
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`,
      );
    });
  });

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

/** A charge stays open, so that it is cancelled. */
function answerOf(line: string): string {
  if (line.includes('/cancel')) {
    return JSON.stringify({ ...INTENT, status: 'canceled', cancellation_reason: 'abandoned' });
  }
  if (line.startsWith('POST')) return JSON.stringify({ ...INTENT, status: 'requires_action' });
  if (line.includes('/balance')) return JSON.stringify({ object: 'balance', livemode: false });
  if (line.includes('/payment_intents/pi')) return JSON.stringify({ ...INTENT, status: 'processing' });
  return JSON.stringify(EMPTY_LIST);
}

let recorder: Recorder;

beforeEach(async () => {
  recorder = await new Recorder().start();
});
afterEach(() => recorder.stop());

const gatewayOne = (apiKey1: string): PaymentGateway =>
  new Gateways({ gatewayOneUrl: `http://127.0.0.1:${recorder.port}` }).for(1, gatewayOneCredentials({ apiKey1 }));

const ownClient = (apiKey: string): Stripe =>
  new Stripe(apiKey, {
    apiVersion: API_VERSION,
    protocol: 'http',
    host: '127.0.0.1',
    port: recorder.port,
    maxNetworkRetries: 0,
    telemetry: false,
  });

/**
 * The package names the HTTP client and the coding assistant that it finds itself in, and gives every POST a random
 * key, because it may repeat it by itself.
 */
const comparable = (request: string): string =>
  request
    .replace(/"httplib":"\w+"/, '')
    .replace(/,"ai_agent":"\w+"| AIAgent\/\w+/g, '')
    .replace(/^Idempotency-Key: stripe-node-retry-[-\w]+\r\n/m, '');

/** The requests of `work`, by their bytes. */
async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  recorder.requests.length = 0;
  await work();
  return recorder.requests.map(comparable);
}

describe('A request to GatewayOne', () => {
  it('has the same bytes as one of the stripe package: a charge and its cancelling', async () => {
    const charge = givenCharge({ gatewayCustomerId: "cus_[1]&=+%!*()' é", dueUtc: new Date('2026-01-31T09:30:00.5Z') });
    const sent = await requestsOf(() => gatewayOne('sk_test_wire_key').charge(charge));

    const { paymentIntents } = ownClient('sk_test_wire_key');
    const expected = await requestsOf(async () => {
      await paymentIntents.create(
        {
          amount: 1234,
          currency: 'usd',
          customer: charge.gatewayCustomerId,
          payment_method: charge.gatewayPaymentId,
          confirm: true,
          off_session: true,
          error_on_requires_action: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description: `Scheduled order ${charge.scheduledOrderId}, occurrence 2026-01-31T09:30:00Z`,
          metadata: {
            site_id: '7',
            scheduled_order_id: String(charge.scheduledOrderId),
            due_utc: '2026-01-31T09:30:00Z',
            attempt: '1',
            installation: 'test',
          },
        },
        { idempotencyKey: charge.idempotencyKey },
      );
      await paymentIntents.cancel('pi_1', { cancellation_reason: 'abandoned' });
    });
    expect(sent).toEqual(expected);
    expect(sent).toHaveLength(2);
  });

  it('has the same bytes as one of the stripe package: what is asked for', async () => {
    const sent = await requestsOf(async () => {
      const gateway = gatewayOne('old_key_without_a_mode');
      await gateway.verify();
      await gateway.lookUp(givenCharge({ gatewayCustomerId: 'cus [é]/?&=' }));
      await gateway.lookUp(givenCharge(), 'pi/é 1');
      await gateway.listCharges({ agoMs: 1_000, installation: 'test' }, () => Promise.resolve());
    });

    const { paymentIntents, balance } = ownClient('old_key_without_a_mode');
    const expected = await requestsOf(async () => {
      await paymentIntents.list({ limit: 1 });
      await balance.retrieve();
      await paymentIntents.list({ limit: 100, customer: 'cus [é]/?&=' });
      await paymentIntents.retrieve('pi/é 1');
      await paymentIntents.list({ limit: 100 });
    });
    expect(sent).toEqual(expected);
    expect(sent).toHaveLength(5);
  });

  it('has the same form for any text', async () => {
    const gateway = gatewayOne('sk_test_wire_key');
    const { paymentIntents } = ownClient('sk_test_wire_key');
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(text, async (customer) => {
        const [sent] = await requestsOf(() => gateway.lookUp(givenCharge({ gatewayCustomerId: customer })));
        const [expected] = await requestsOf(() => paymentIntents.list({ limit: 100, customer }));
        expect(sent).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['5', '"ok"', 'null', 'true', '[]', '{"error":"unauthorized"}', '{"error":5}'])(
    'that %s answers has an unknown outcome, and is not repeated',
    async (answer) => {
      recorder.answers = () => answer;
      const outcome = await gatewayOne('sk_test_wire_key').charge(givenCharge());
      expect(outcome).toMatchObject({ kind: 'unknown', repeatable: false });
      expect(recorder.requests).toHaveLength(1);
    },
  );
});
