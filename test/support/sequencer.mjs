import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The test files that take long, in seconds: whatever is begun last leaves all cores but one without work. */
const SECONDS = {
  'test/chaos-small.test.ts': 105,
  'test/start/start.test.ts': 65,
  'test/upgrade/previous-version.test.ts': 65,
  'test/limits/large-logs.test.ts': 50,
  'test/processor/restored.test.ts': 45,
  'test/processor/deaths.test.ts': 45,
  'test/limits/exhaustion.test.ts': 45,
  'test/api/process.test.ts': 35,
  'test/database/sessions.test.ts': 35,
  'test/processor/many-due-orders.test.ts': 20,
  'test/fuzz.test.ts': 30,
  'test/cli/import-products.test.ts': 30,
  'test/processor/copies.test.ts': 30,
  'test/processor/probes.test.ts': 30,
  'test/processor/service.test.ts': 30,
  'test/processor-cost.test.ts': 30,
  'test/cli/command-line.test.ts': 25,
  'test/processor/requests.test.ts': 25,
  'libs/config/src/embedded/embedded-database.test.ts': 25,
  'test/scale.test.ts': 25,
  'test/database/pgbouncer.test.ts': 20,
  'test/rates-of-places.test.ts': 20,
  'test/start/processes.test.ts': 20,
  'test/processor/long-rounds.test.ts': 20,
  'test/processor/stopped.test.ts': 20,
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
