import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The test files that take long, in seconds: whatever is begun last leaves all cores but one without work. */
const SECONDS = {
  'test/chaos-small.test.ts': 100,
  'test/processor/restored.test.ts': 75,
  'test/processor/copies.test.ts': 55,
  'test/upgrade/previous-version.test.ts': 50,
  'test/cli/migration.test.ts': 45,
  'test/processor/requests.test.ts': 45,
  'test/start/start.test.ts': 40,
  'test/processor/deaths.test.ts': 40,
  'test/cli/import-subscriptions.test.ts': 40,
  'test/database/sessions.test.ts': 40,
  'test/database/pgbouncer.test.ts': 40,
  'test/processor/service.test.ts': 40,
  'test/processor-cost.test.ts': 35,
  'libs/config/src/embedded/embedded-database.test.ts': 35,
  'test/processor/long-rounds.test.ts': 35,
  'test/fuzz.test.ts': 35,
  'test/api/forecast.test.ts': 35,
  'test/api/explain-may-now.test.ts': 35,
  'test/api/asked-lists.test.ts': 35,
  'test/processor/stopped.test.ts': 30,
  'test/limits/exhaustion.test.ts': 30,
  'test/rates-of-places.test.ts': 30,
  'test/architecture/reach.test.ts': 30,
  'test/processor/frozen-at-once.test.ts': 25,
  'test/start/processes.test.ts': 25,
  'test/cli/migrate.test.ts': 25,
  'test/processor/unheard.test.ts': 25,
  'test/limits/large-orders.test.ts': 25,
  'test/limits/large-logs.test.ts': 25,
  'test/scale.test.ts': 25,
  'test/cli/command-line.test.ts': 20,
  'test/api/process.test.ts': 20,
  'test/events/order.test.ts': 20,
  'test/processor/probes.test.ts': 20,
  'test/migration.test.ts': 20,
  'test/limits/pipelining.test.ts': 20,
  'test/processor/after-the-stop.test.ts': 20,
  'test/gateways/list-charges.test.ts': 20,
  'test/cli/import-tax-rates.test.ts': 20,
  'test/cli/import-products.test.ts': 20,
  'test/database/promotion.test.ts': 20,
  'test/openapi.test.ts': 20,
  'test/api/scheduled-orders.test.ts': 20,
  'test/processor/exactly-once.test.ts': 20,
  'test/api/origins.test.ts': 20,
  'test/docs/guides.test.ts': 20,
  'test/processor/wrong-account.test.ts': 20,
  'test/simulated/leader.test.ts': 20,
  'test/simulated/year.test.ts': 20,
  'test/api/calendar.test.ts': 20,
  'test/start/process-end.test.ts': 15,
  'test/upgrade/minimum-version.test.ts': 15,
  'test/webhooks/workers.test.ts': 15,
  'test/webhooks/sending.test.ts': 15,
  'test/api/known-networks.test.ts': 15,
  'libs/config/src/embedded/binaries.test.ts': 15,
  'test/api/examples.test.ts': 15,
  'test/api/process-twice.test.ts': 15,
  'test/processor/late-writes.test.ts': 15,
  'test/processor/promoted.test.ts': 15,
  'test/processor/found-charges.test.ts': 15,
  'test/limits/slow-readers.test.ts': 15,
  'test/processor/integration-queues.test.ts': 15,
  'test/processor/locked-row.test.ts': 15,
  'test/secrets.test.ts': 15,
  'test/docs/tour.test.ts': 15,
  'test/api/timeline-pages.test.ts': 15,
  'test/api/lists.test.ts': 15,
  'test/api/idempotency.test.ts': 15,
  'test/api/large-records.test.ts': 15,
  'test/api/operations.test.ts': 15,
  'test/simulated/shown.test.ts': 15,
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
