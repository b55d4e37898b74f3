import { UnusableDatabase } from '../errors/database-errors.js';
import type { SqlExecutor } from '../statements/statement.js';

/** PostgreSQL parameters by name, with values as `SET` takes them. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Shows whether a session has these settings, or a pooler dropped them. */
const MARK = 'scheduled_orders.session';

/**
 * The settings that every statement relies on. They override the URL, the role, the database and the server: how times
 * are read and written, how texts are quoted, and that a statement sees everything that was committed before it.
 */
const NEEDED: SessionSettings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO,MDY',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  [MARK]: 'set',
};

const all = (settings: SessionSettings): [string, string][] => Object.entries({ ...NEEDED, ...settings });

/** As startup `options`. The server uses the last value of a name, so these come after those of the URL. */
export const startupOptions = (given: string | undefined, settings: SessionSettings): string =>
  [
    ...(given ? [given] : []),
    ...all(settings).map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`),
  ].join(' ');

/** For one transaction: to be sent after its BEGIN. */
export const localSettings = (settings: SessionSettings): string =>
  all(settings)
    .map(([name, value]) => `SET LOCAL ${name} TO '${value.replaceAll("'", "''")}'`)
    .join('; ');

const OLDEST_VERSION = 14;

const LOOK = `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('TimeZone') AS "timeZone",
  current_setting('DateStyle') AS "dateStyle", current_setting('integer_datetimes') AS "integerDatetimes",
  current_setting('standard_conforming_strings') AS "conformingStrings", current_setting('${MARK}', true) AS mark`;

interface Session {
  readonly version: number;
  readonly timeZone: string;
  readonly dateStyle: string;
  readonly integerDatetimes: string;
  readonly conformingStrings: string;
  readonly mark: string | null;
}

/**
 * Checks at start that server and session are as the statements need them.
 * @throws UnusableDatabase with a sentence that says what to do.
 */
export async function checkSession(database: SqlExecutor): Promise<void> {
  const [row] = await database.execute<Session>(LOOK);
  const fault = sessionFault(row!);
  if (fault !== null) throw new UnusableDatabase(fault);
}

export function sessionFault(session: Session): string | null {
  if (session.version < OLDEST_VERSION)
    return `The database is PostgreSQL ${session.version}: this service needs ${OLDEST_VERSION} to 18. Upgrade the server.`;
  if (session.mark !== 'set')
    return 'The sessions of the database do not have the settings that they were started with: a pooler in between drops them. Set DATABASE_POOLER=transaction (docs/operations.md).';
  const wrong = (
    [
      ['TimeZone', session.timeZone, /^UTC$/],
      ['DateStyle', session.dateStyle, /^ISO\b/],
      ['integer_datetimes', session.integerDatetimes, /^on$/],
      ['standard_conforming_strings', session.conformingStrings, /^on$/],
    ] as const
  ).find(([, value, right]) => !right.test(value));
  if (wrong === undefined) return null;
  return `The sessions of the database have ${wrong[0]} = ${wrong[1]}, although they ask for another value: remove what sets it (a pooler, or a trigger on login).`;
}
