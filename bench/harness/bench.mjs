import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases, withClient } from './database.mjs';
import { keepHistory } from './history.mjs';
import { describeMachine } from './machine.mjs';
import { planOf } from './plan.mjs';
import { startPostgres } from './postgres.mjs';
import { commitOfProduct, requireBuilt } from './product.mjs';
import { duration, Progress } from './progress.mjs';
import { keepResults } from './report.mjs';

const ROUNDS = { usual: 5, long: 5, smoke: 1 };

/**
 * @param {{ rows: string[], parts: string[], isLong: boolean, isSmoke: boolean, rounds?: number }} selection none of
 * rows or parts: all
 */
export async function runBench({ rows, rounds, ...selection }) {
  requireBuilt();
  const plan = await planOf({ rows, ...selection });
  const progress = new Progress(plan);
  say(`${plan.length} parts (${plan.map(({ name }) => name).join(', ')}): about ${duration(progress.minutesLeft)}`);
  const scratch = mkdtempSync(join(tmpdir(), 'scheduled-orders-bench-'));
  chmodSync(scratch, 0o755); // the embedded database of `npm start` may run as another user
  const server = await startPostgres();
  const shared = { server, databases: new Databases(server.url), scratch };
  const commit = commitOfProduct();
  const failed = [];
  try {
    const machine = await withClient(server.url, describeMachine);
    for (const { name, form, part } of plan) {
      progress.begin();
      say(`${name}${form === 'long' ? ' (long)' : ''}, row ${part.rows.join(', ')}: ${part.title} (${progress})`);
      const bench = benchFor(shared, { form, rows, rounds: rounds ?? ROUNDS[form], progress });
      const found = await part.run(bench).catch((error) => {
        // What the other rows measure is not lost with this one.
        process.stderr.write(`${name}: ${error.stack}\n`);
        process.exitCode = 1;
        failed.push(name);
      });
      const seconds = progress.end();
      say(`  ${name} took ${duration(seconds / 60)}`);
      if (!found || form === 'smoke') continue;
      const run = { part: name, form, measuredUtc: new Date().toISOString(), commit, rounds: bench.rounds, seconds };
      const wanted = ({ row }) => bench.wants(row);
      const [results, figures] = [found.results, found.figures].map((all) =>
        all.filter(wanted).map((one) => ({ ...one, ...run })),
      );
      sayResults(results);
      await keepResults({ machine, results, figures });
      keepHistory(machine, results);
    }
    say(
      `Took ${duration(progress.minutesSoFar)}.${failed.length > 0 ? ` Could not be measured: ${failed.join(', ')}.` : ''}`,
    );
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What a part works with. `pick` chooses among what it has for each form. */
const benchFor = (shared, { form, rows, rounds, progress }) => ({
  ...shared,
  form,
  rounds,
  pick: (sizes) => {
    if (!(form in sizes)) throw new Error(`There is no ${form} form.`);
    return sizes[form];
  },
  wants: (...names) => rows.length === 0 || names.some((name) => rows.includes(name)),
  progress: (round, name, measurement) => say(`  round ${round + 1}, ${name}: ${summary(measurement)} (${progress})`),
  say,
});

function sayResults(results) {
  for (const { what, value, spread, mustReach, holds } of results)
    say(`  ${holds ? 'holds ' : 'MISSES'} ${what}: ${value} [${spread}] ${mustReach}`);
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
