import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases, withClient } from './database.mjs';
import { keepHistory } from './history.mjs';
import { describeMachine } from './machine.mjs';
import { startPostgres } from './postgres.mjs';
import { commitOfProduct, requireBuilt } from './product.mjs';
import { keepResults } from './report.mjs';

/** In the order in which they run: the longest last. */
export const PARTS = [
  'throughput',
  'share',
  'gateway',
  'adversity',
  'workers',
  'beside',
  'sites',
  'endpoint',
  'size',
  'http',
  'bodies',
  'forecast',
  'start',
  'stored',
  'soak',
  'list',
  'monday',
];

/** @param {{ rows: string[], parts: string[], quick: boolean, rounds?: number }} options none of rows or parts: all */
export async function runBench({ rows, parts, quick, rounds = quick ? 2 : 5 }) {
  requireBuilt();
  const scratch = mkdtempSync(join(tmpdir(), 'scheduled-orders-bench-'));
  chmodSync(scratch, 0o755); // the embedded database of `npm start` may run as another user
  const server = await startPostgres();
  const bench = {
    server,
    databases: new Databases(server.url),
    scratch,
    quick,
    rounds,
    wants: (...names) => rows.length === 0 || names.some((name) => rows.includes(name)),
    progress: (round, name, measurement) => say(`  round ${round + 1}, ${name}: ${summary(measurement)}`),
    say,
  };
  const measured = [];
  const commit = commitOfProduct();
  try {
    const machine = await withClient(server.url, describeMachine);
    for (const name of PARTS) {
      if (parts.length > 0 && !parts.includes(name)) continue;
      const part = await import(`../rows/${name}.mjs`);
      if (!bench.wants(...part.rows)) continue;
      say(`${part.rows.join(', ')}: ${part.title}`);
      const found = await part.run(bench).catch((error) => {
        // What the other rows measure is not lost with this one.
        process.stderr.write(`${error.stack}\n`);
        process.exitCode = 1;
      });
      if (!found) continue;
      const { results, figures } = found;
      for (const { what, value, spread, mustReach, holds } of results)
        say(`  ${holds ? 'holds ' : 'MISSES'} ${what}: ${value} [${spread}] ${mustReach}`);
      const run = { part: name, measuredUtc: new Date().toISOString(), commit, rounds };
      const wanted = ({ row }) => bench.wants(row);
      const ofPart = {
        results: results.filter(wanted).map((one) => ({ ...one, ...run })),
        figures: figures.filter(wanted).map((one) => ({ ...one, part: name })),
      };
      measured.push(ofPart);
      keepResults({ machine, measured, quick, commit });
      if (!quick) keepHistory(machine, ofPart.results);
    }
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

const summary = (measurement) =>
  typeof measurement === 'number'
    ? String(Number(measurement.toPrecision(4)))
    : Object.entries(measurement)
        .filter(([, value]) => typeof value === 'number')
        .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`)
        .join(', ');
