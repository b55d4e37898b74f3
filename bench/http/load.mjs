/**
 * Asks one route of a server, from a process of its own: `node load.mjs '{ url, token, route, ids, seconds, warmup, connections, rate? }'`.
 * Without `rate` a closed loop: every connection asks again as soon as it was answered. With `rate` an open one: requests are sent when they
 * are due, whatever became of those before, and latency counts from that moment. Writes `{ perSecond, p50, p99, failed }` as JSON.
 */
import { Connection } from './connection.mjs';
import { bodyOf, ROUTES } from './routes.mjs';

const { url, token, route: name, ids, seconds, warmup, connections, rate } = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(url);
const route = ROUTES[name];

let sequence = 0;

function nextRequest() {
  const number = sequence++;
  const request = { id: ids[(number * 7919) % ids.length], text: `${number} Street ${process.pid}` };
  const body = bodyOf(route.method, request);
  const head = `${route.method} ${route.path(request)} HTTP/1.1\r\nhost: bench\r\nauthorization: Basic ${token}\r\n`;
  return body === undefined
    ? `${head}\r\n`
    : `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

let counting = false;
let failed = 0;
const latencies = [];

function answered(status, since) {
  if (!counting) return;
  latencies.push(performance.now() - since);
  if (status !== route.status) failed++;
}

async function opened(count) {
  const all = Array.from({ length: count }, () => new Connection(hostname, Number(port)));
  await Promise.all(all.map((connection) => connection.opened));
  return all;
}

async function closedLoop() {
  const all = await opened(connections);
  for (const connection of all) {
    const ask = () => {
      const since = performance.now();
      connection.send(nextRequest(), (status) => {
        answered(status, since);
        ask();
      });
    };
    ask();
  }
  return all;
}

async function openLoop() {
  const idle = await opened(connections);
  const all = [...idle];
  const waiting = [];
  const started = performance.now();
  let sent = 0;
  const ask = (connection, due) =>
    connection.send(nextRequest(), (status) => {
      answered(status, due);
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else ask(connection, next);
    });
  const timer = setInterval(() => {
    const due = ((performance.now() - started) * rate) / 1_000;
    for (; sent < due; sent++) {
      const at = started + (sent * 1_000) / rate;
      const connection = idle.pop();
      if (connection === undefined) waiting.push(at);
      else ask(connection, at);
    }
  }, 1);
  return [...all, { close: () => clearInterval(timer) }];
}

const pause = (forSeconds) => new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000));
const running = await (rate === undefined ? closedLoop() : openLoop());
await pause(warmup);
counting = true;
const from = performance.now();
await pause(seconds);
counting = false;
const took = (performance.now() - from) / 1_000;
for (const part of running) part.close();

latencies.sort((a, b) => a - b);
const percentile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? null;
process.stdout.write(
  JSON.stringify({ perSecond: latencies.length / took, p50: percentile(0.5), p99: percentile(0.99), failed }),
);
process.exit(0);
