#!/usr/bin/env node
// The health check of a container: exit code 0 when the API or the worker that runs in it is ready. It asks the port of
// each, so one image serves both.
const TIMEOUT_MS = 4_000;

const set = (name, fallback) => process.env[name]?.trim() || fallback;
const host = set('HOST', '0.0.0.0');
const reached = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
const address = reached.includes(':') ? `[${reached}]` : reached;

/** What a process answers at `port`; undefined when nobody listens there. */
async function ask(port) {
  try {
    const answer = await fetch(`http://${address}:${port}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { isReady: answer.ok, text: await answer.text() };
  } catch (error) {
    return error.cause?.code === 'ECONNREFUSED' ? undefined : { isReady: false, text: String(error.cause ?? error) };
  }
}

const answer = (await ask(set('PORT', '3000'))) ?? (await ask(set('WORKER_PORT', '3001')));
process.stdout.write(`${answer?.text ?? 'Nobody listens at PORT or WORKER_PORT.'}\n`);
process.exitCode = answer?.isReady === true ? 0 : 1;
