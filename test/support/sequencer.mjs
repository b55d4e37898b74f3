import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The test files that take long, in seconds: whatever is begun last leaves all cores but one without work. */
const SECONDS = {
  'test/upgrade/previous-version.test.ts': 115,
  'test/chaos-small.test.ts': 90,
  'test/start/start.test.ts': 85,
  'test/processor/restored.test.ts': 85,
  'test/processor/deaths.test.ts': 65,
  'test/fuzz.test.ts': 55,
  'test/start/processes.test.ts': 50,
  'libs/config/src/embedded/embedded-database.test.ts': 50,
  'test/limits/large-logs.test.ts': 45,
  'test/api/process.test.ts': 45,
  'test/processor/copies.test.ts': 45,
  'test/database/sessions.test.ts': 40,
  'test/processor/probes.test.ts': 40,
  'test/database/pgbouncer.test.ts': 40,
  'test/limits/pipelining.test.ts': 35,
  'test/cli/command-line.test.ts': 35,
  'test/processor/requests.test.ts': 35,
  'test/limits/exhaustion.test.ts': 35,
  'test/processor/stopped.test.ts': 35,
  'test/processor/service.test.ts': 30,
  'test/openapi.test.ts': 30,
  'test/start/process-end.test.ts': 30,
  'test/processor/exactly-once.test.ts': 30,
  'test/cli/import-products.test.ts': 25,
  'test/limits/large-orders.test.ts': 25,
  'test/processor-cost.test.ts': 25,
  'test/processor/long-rounds.test.ts': 25,
  'libs/config/src/embedded/binaries.test.ts': 25,
  'test/cli/migrate.test.ts': 25,
  'test/processor/many-due-orders.test.ts': 20,
  'test/processor/after-the-stop.test.ts': 20,
  'test/processor/unheard.test.ts': 20,
  'test/scale.test.ts': 20,
  'test/api/examples.test.ts': 20,
  'test/api/origins.test.ts': 20,
  'test/docs/tour.test.ts': 20,
  'test/processor/promoted.test.ts': 20,
  'test/architecture/reach.test.ts': 20,
};

/** Begins with the files that take longest. Jest knows that of earlier runs only, and a fresh clone has none. */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const rootDir = tests[0]?.context.config.rootDir ?? '.';
    const missing = Object.keys(SECONDS).filter((file) => !existsSync(join(rootDir, file)));
    if (missing.length > 0)
      throw new Error(`test/support/sequencer.mjs lists files that do not exist: ${missing.join()}.`);
    return super.sort(tests);
  }

  time(test) {
    return super.time(test) ?? 1_000 * (SECONDS[relative(test.context.config.rootDir, test.path)] ?? 1);
  }
}
