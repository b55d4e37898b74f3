/**
 * A process that answers GatewayOne's calls as the Stripe API does, after a fixed latency, and keeps a ledger:
 * `node stand-in.mjs LATENCY_MS`.
 *
 * Says its port; `GET /ledger` tells what was charged. No faults and no checks beyond what
 * the adapter relies on: it must not be the bottleneck (the tests have a stand-in that does all that).
 */
import { createServer } from 'node:http';

const latencyMs = Number(process.argv[2]);
/** By idempotency key. */
const intents = new Map();
let repeated = 0;

function intentOf(key, form) {
  const known = intents.get(key);
  if (known) {
    repeated++;
    return known;
  }
  const metadata = {};
  for (const [name, value] of form) {
    const field = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    if (field) metadata[field] = value;
  }
  const amount = Number(form.get('amount'));
  const intent = JSON.stringify({
    id: `pi_${intents.size + 1}`,
    object: 'payment_intent',
    amount,
    amount_received: amount,
    currency: form.get('currency'),
    customer: form.get('customer'),
    payment_method: form.get('payment_method'),
    created: Math.floor(Date.now() / 1_000),
    livemode: false,
    metadata,
    status: 'succeeded',
    last_payment_error: null,
  });
  intents.set(key, { intent, amount });
  return intents.get(key);
}

function answer(response, status, body) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'request-id': 'req_bench',
  });
  response.end(body);
}

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  if (request.url === '/ledger') {
    const total = [...intents.values()].reduce((sum, { amount }) => sum + amount, 0);
    return answer(response, 200, JSON.stringify({ charges: intents.size, repeated, total }));
  }
  let body = '';
  request.on('data', (data) => (body += data));
  request.on('end', () => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || request.url !== '/v1/payment_intents' || !key) return answer(response, 404, '{}');
    const { intent } = intentOf(key, new URLSearchParams(body));
    setTimeout(() => answer(response, 200, intent), latencyMs);
  });
});
server.listen(0, '127.0.0.1', 4_096, () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().once('end', () => process.exit(0));
