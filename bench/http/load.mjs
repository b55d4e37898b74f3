/**
 * Asks one route of a server, from a process of its own:
 * `node load.mjs '{ url, token, route, ids, seconds?, warmup, connections, rate?, file? }'`.
 *
 * Without `seconds` it lasts until standard input ends. Without `rate` a closed loop:
 * every connection asks again as soon as it was answered. With `rate` an open one: requests are sent when they are due,
 * whatever became of those before, and latency counts from that moment; those without an answer at the end count with
 * what they have waited so far. Writes `{ perSecond, p50, p99, served, failed }` as JSON: latencies in ms, and how many
 * requests were answered rightly and wrongly in all, the warm-up's and the last ones too. `file`: takes every latency,
 * as 64-bit floats.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Connection } from './connection.mjs';
import { bodyOf, ROUTES } from './routes.mjs';

const LAST_ANSWER_MS = 30_000;

const { url, token, route: name, ids, seconds, warmup, connections, rate, file } = JSON.parse(process.argv[2]);
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
let stopped = false;
let served = 0;
let failed = 0;
const latencies = [];
/** Since when each connection waits for its answer. */
const unanswered = new Map();
/** Since when requests wait that found every connection busy. */
const queued = [];

/** Sends the next request; its latency counts from `since`. Does `then` when it was answered. */
function ask(connection, since, then) {
  unanswered.set(connection, since);
  connection.send(nextRequest(), (status) => {
    unanswered.delete(connection);
    if (status === route.status) served++;
    else failed++;
    if (counting) latencies.push(performance.now() - since);
    if (!stopped && status !== 0) then();
  });
}

function closedLoop(all) {
  for (const connection of all) {
    const again = () => ask(connection, performance.now(), again);
    again();
  }
}

function openLoop(all) {
  const idle = [...all];
  const serve = (connection, due) =>
    ask(connection, due, () => {
      const next = queued.shift();
      if (next === undefined) idle.push(connection);
      else serve(connection, next);
    });
  const started = performance.now();
  let made = 0;
  const timer = setInterval(() => {
    if (stopped) return clearInterval(timer);
    const due = ((performance.now() - started) * rate) / 1_000;
    for (; made < due; made++) {
      const at = started + (made * 1_000) / rate;
      const connection = idle.pop();
      if (connection === undefined) queued.push(at);
      else serve(connection, at);
    }
  }, 1);
}

const pause = (forSeconds) => new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000));
const all = Array.from({ length: connections }, () => new Connection(hostname, Number(port)));
await Promise.all(all.map((connection) => connection.opened));
if (rate === undefined) closedLoop(all);
else openLoop(all);
await pause(warmup);
counting = true;
const from = performance.now();
await (seconds === undefined ? once(process.stdin.resume(), 'end') : pause(seconds));
counting = false;
stopped = true;
const to = performance.now();
const perSecond = latencies.length / ((to - from) / 1_000);
for (const since of [...queued, ...unanswered.values()]) latencies.push(to - since);

// What was written is compared with what was answered: none may be on its way.
while (unanswered.size > 0 && performance.now() < to + LAST_ANSWER_MS) await pause(0.01);
failed += unanswered.size;

latencies.sort((a, b) => a - b);
if (file !== undefined) writeFileSync(file, Float64Array.from(latencies));
const percentile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? null;
process.stdout.write(JSON.stringify({ perSecond, p50: percentile(0.5), p99: percentile(0.99), served, failed }));
process.exit(0);
