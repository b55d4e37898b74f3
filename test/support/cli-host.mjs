import 'reflect-metadata';
import { Readable } from 'node:stream';
import { run } from '../../dist/apps/cli/src/program.js';

/** Runs commands of the built command line one after the other, each as if the process were its own. */
let last = Promise.resolve();

process.on('message', ({ id, args, env, input }) => {
  last = last.then(async () => process.send({ id, ran: await runAlone(args, env, input) }));
});

async function runAlone(args, env, input) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  const written = { stdout: '', stderr: '' };
  const restore = ['stdout', 'stderr'].map((name) => keep(name, (text) => (written[name] += text)));
  process.exitCode = undefined;
  try {
    return { code: await run(args), ...written };
  } finally {
    for (const back of restore) back();
    process.exitCode = undefined;
  }
}

/** Hands what is written there to `take` instead. @returns what puts an end to that. */
function keep(name, take) {
  const stream = process[name];
  const { write } = stream;
  stream.write = (chunk, encoding, done) => {
    take(String(chunk));
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
  return () => void (stream.write = write);
}
