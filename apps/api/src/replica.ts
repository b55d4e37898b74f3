import { setTimeout as pause } from 'node:timers/promises';
import {
  checkSession,
  type ConnectionPool,
  type ConnectionSettings,
  databaseName,
  databaseSentence,
  isHopeless,
  type Logger,
  LONGEST_ANSWER_MS,
  openPool,
} from '#libs/platform';
import { Replica } from '#libs/records';

/**
 * As many as there are statements of lists and reports at once, and one for its look (lists.ts, forecast.service.ts).
 */
const CONNECTIONS = 8;
/** A replica that is away does not delay the start for longer. */
const LONGEST_LOOK_MS = 3_000;

/**
 * Opens what READ_DATABASE_URL names. A replica that is away, or was promoted, is no reason not to start: lists are
 * then read from the primary.
 * @returns it, or a sentence about what somebody has to change.
 */
export async function openReplica(
  primary: ConnectionPool,
  connection: Omit<ConnectionSettings, 'applicationName'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Replica | string> {
  const { url } = connection;
  const pool = openPool(
    { ...connection, applicationName: 'scheduled-orders-api-lists', longestAnswerMs: LONGEST_ANSWER_MS },
    { connections: CONNECTIONS, pipeline: true },
  );
  const replica = new Replica(pool, primary, (fault) => {
    if (fault === null) log.info(`Lists and reports are read from the replica ${databaseName(url)} again.`);
    else log.warn(`Lists and reports are read from DATABASE_URL: the replica ${databaseName(url)}: ${fault.sentence}.`);
  });
  const wrong = (await hopelessFault(pool, url)) ?? (await otherDatabase(replica, url));
  if (wrong === null) return replica;
  await pool.end();
  return wrong;
}

/** Null when it can be used, or when waiting may help. */
async function hopelessFault(pool: ConnectionPool, url: string): Promise<string | null> {
  const over = new AbortController();
  const checked = checkSession(pool).then(() => null);
  try {
    return await Promise.race([checked, pause(LONGEST_LOOK_MS, null, { signal: over.signal })]);
  } catch (error) {
    return isHopeless(error) ? `READ_DATABASE_URL: ${databaseSentence(error, url, 'READ_DATABASE_URL')}` : null;
  } finally {
    checked.catch(() => undefined);
    over.abort();
  }
}

async function otherDatabase(replica: Replica, url: string): Promise<string | null> {
  // A primary that is away at this moment is waited for by the requests.
  const fault = await replica.look().catch(() => null);
  if (fault?.kind !== 'other') return null;
  return `READ_DATABASE_URL leads to ${databaseName(url)}, which is no standby of the database in DATABASE_URL: name one that is, or remove the setting.`;
}
