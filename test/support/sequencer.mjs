import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The test files that take long, in seconds: whatever is begun last leaves all cores but one without work. */
const SECONDS = {
  'test/chaos-small.test.ts': 105,
  'test/processor-cost.test.ts': 80,
  'test/start/start.test.ts': 75,
  'test/upgrade/previous-version.test.ts': 65,
  'test/processor/deaths.test.ts': 45,
  'test/cli/migration.test.ts': 40,
  'test/processor/copies.test.ts': 40,
  'test/processor/restored.test.ts': 40,
  'test/processor/service.test.ts': 35,
  'test/api/explain-may-now.test.ts': 30,
  'test/database/pgbouncer.test.ts': 30,
  'test/database/sessions.test.ts': 30,
  'test/fuzz.test.ts': 30,
  'test/limits/exhaustion.test.ts': 30,
  'test/migration.test.ts': 30,
  'test/database/read-replica.test.ts': 25,
  'test/limits/pipelining.test.ts': 25,
  'test/processor/frozen-at-once.test.ts': 25,
  'test/processor/probes.test.ts': 25,
  'test/processor/requests.test.ts': 25,
  'test/webhooks/sending.test.ts': 25,
  'libs/config/src/embedded/embedded-database.test.ts': 20,
  'test/api/deleted-orders.test.ts': 20,
  'test/api/lists.test.ts': 20,
  'test/api/process.test.ts': 20,
  'test/bench-harness.test.ts': 20,
  'test/cli/import-subscriptions.test.ts': 20,
  'test/docs/commands.test.ts': 20,
  'test/events/order.test.ts': 20,
  'test/limits/large-orders.test.ts': 20,
  'test/limits/slow-readers.test.ts': 20,
  'test/processor/locked-row.test.ts': 20,
  'test/processor/stopped.test.ts': 20,
  'test/rates-of-places.test.ts': 20,
  'test/simulated/leader.test.ts': 20,
  'test/start/processes.test.ts': 20,
  'test/traces.test.ts': 20,
  'test/api/asked-lists.test.ts': 15,
  'test/api/calendar-past.test.ts': 15,
  'test/api/explain.test.ts': 15,
  'test/api/forecast.test.ts': 15,
  'test/api/known-networks.test.ts': 15,
  'test/api/origins.test.ts': 15,
  'test/api/sessions.test.ts': 15,
  'test/api/test-clocks.test.ts': 15,
  'test/cli/command-line.test.ts': 15,
  'test/cli/import-tax-rates.test.ts': 15,
  'test/cli/migrate.test.ts': 15,
  'test/docs/guides.test.ts': 15,
  'test/docs/tour.test.ts': 15,
  'test/gateways/list-charges.test.ts': 15,
  'test/limits/large-logs.test.ts': 15,
  'test/metrics.test.ts': 15,
  'test/processor/after-the-stop.test.ts': 15,
  'test/processor/found-charges.test.ts': 15,
  'test/processor/integration-queues.test.ts': 15,
  'test/processor/long-rounds.test.ts': 15,
  'test/processor/poison.test.ts': 15,
  'test/processor/unheard.test.ts': 15,
  'test/processor/wrong-account.test.ts': 15,
  'test/scale.test.ts': 15,
  'test/webhooks/fairness.test.ts': 15,
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
