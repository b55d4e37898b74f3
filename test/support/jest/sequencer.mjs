import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/**
 * The test files that take 25 seconds or more beside three others, with all cases: whatever is begun last leaves all
 * cores but one without work.
 */
const SECONDS = {
  'test/start/start.test.ts': 130,
  'test/cli/migration.test.ts': 110,
  'test/processor-cost.test.ts': 105,
  'test/chaos-small.test.ts': 100,
  'test/processor/restored.test.ts': 85,
  'test/limits/exhaustion.test.ts': 70,
  'test/api/process.test.ts': 65,
  'test/model/model.test.ts': 65,
  'test/database/sessions.test.ts': 60,
  'test/architecture/reach.test.ts': 55,
  'test/processor/deaths.test.ts': 55,
  'test/processor/frozen-at-once.test.ts': 55,
  'test/start/processes.test.ts': 55,
  'test/architecture/statements.test.ts': 50,
  'test/database/read-replica.test.ts': 50,
  'test/limits/large-logs.test.ts': 50,
  'test/processor/audit.test.ts': 50,
  'test/traces.test.ts': 50,
  'test/events/order.test.ts': 45,
  'test/processor/copies.test.ts': 45,
  'test/processor/long-rounds.test.ts': 45,
  'test/webhooks/sending.test.ts': 45,
  'libs/platform/src/config/embedded/embedded-database.test.ts': 40,
  'test/api/lists.test.ts': 40,
  'test/database/pgbouncer.test.ts': 40,
  'test/fuzz.test.ts': 40,
  'test/processor/probes.test.ts': 40,
  'test/processor/requests.test.ts': 40,
  'test/processor/service.test.ts': 40,
  'test/simulated/leader.test.ts': 40,
  'test/start/process-end.test.ts': 40,
  'test/api/list-queries.test.ts': 35,
  'test/cli/migrate.test.ts': 35,
  'test/limits/large-orders.test.ts': 35,
  'test/limits/pipelining.test.ts': 35,
  'test/limits/slow-readers.test.ts': 35,
  'test/openapi.test.ts': 35,
  'test/processor/after-the-stop.test.ts': 35,
  'test/processor/given-back.test.ts': 35,
  'test/scale.test.ts': 35,
  'test/api/proposed-rates.test.ts': 30,
  'test/api/sessions.test.ts': 30,
  'test/api/test-clocks.test.ts': 30,
  'test/chaos-oracle.test.ts': 30,
  'test/cli/import-products.test.ts': 30,
  'test/cli/import-subscriptions.test.ts': 30,
  'test/cli/import-tax-rates.test.ts': 30,
  'test/migration.test.ts': 30,
  'test/processor/locked-row.test.ts': 30,
  'test/processor/unheard.test.ts': 30,
  'test/api/explain-may-now.test.ts': 25,
  'test/api/process-twice.test.ts': 25,
  'test/cli/command-line.test.ts': 25,
  'test/database/promotion.test.ts': 25,
  'test/docs/commands.test.ts': 25,
  'test/docs/connect-a-shop.test.ts': 25,
  'test/events/feed.test.ts': 25,
  'test/processor/clock-jumps.test.ts': 25,
  'test/processor/exactly-once.test.ts': 25,
  'test/processor/restored-names.test.ts': 25,
  'test/processor/stopped.test.ts': 25,
  'test/processor/wrong-account.test.ts': 25,
  'test/upgrade/next-version.test.ts': 25,
};

/** Begins with the files that take longest. Jest knows that of earlier runs only, and a fresh clone has none. */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const rootDir = tests[0]?.context.config.rootDir ?? '.';
    const missing = Object.keys(SECONDS).filter((file) => !existsSync(join(rootDir, file)));
    if (missing.length > 0)
      throw new Error(`test/support/jest/sequencer.mjs lists files that do not exist: ${missing.join()}.`);
    return super.sort(tests);
  }

  /** In milliseconds; of the others the longest is the one with most text. */
  time(test) {
    const seconds = SECONDS[relative(test.context.config.rootDir, test.path)];
    return super.time(test) ?? (seconds === undefined ? statSync(test.path).size / 2 : 1_000 * seconds);
  }
}
