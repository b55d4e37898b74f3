import {
  type Numbered,
  numberEvents,
  outboxColumns,
  type OutboxRow,
  type OutwardEvent,
  outwardEvent,
  setListening,
} from '#libs/events';
import { readDeployment } from '#libs/ledger';
import type { TestDatabase } from '../database.js';

/** From now on the site's events are kept. */
export async function keepEvents(database: TestDatabase, siteId: number, keep = true): Promise<void> {
  await database.pool.transaction(async (tx) => {
    await tx.execute(
      `INSERT INTO site_settings (site_id, keep_events) VALUES ($1, $2) ON CONFLICT (site_id) DO UPDATE SET keep_events = EXCLUDED.keep_events`,
      [siteId, keep],
    );
    await setListening(tx, siteId);
  });
}

/** Numbers at most one batch of events, as a worker that has looked at the database does. */
export const numberSome = async ({ pool }: Pick<TestDatabase, 'pool'>): Promise<Numbered> =>
  numberEvents(pool, await readDeployment(pool, undefined));

/** Numbers all events, and reads those of a site in order. */
export async function eventsOf(database: TestDatabase, siteId: number): Promise<OutwardEvent[]> {
  while ((await numberSome(database)).more);
  const rows = await database.pool.execute<OutboxRow>(
    `SELECT ${outboxColumns('x')} FROM outbox x WHERE x.site_id = $1 ORDER BY x.sequence`,
    [siteId],
  );
  return rows.map(outwardEvent);
}
