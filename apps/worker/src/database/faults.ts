/** Codes of PostgreSQL that say that the connection, or the server, is gone: nothing about the statement. */
const LOST_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '25P03',
  '53300',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** What pg says without a code. */
const LOST_WORDS =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout|Client (was|has encountered|is not)/i;

/** Lock not to be had in time, deadlock, serialization, statement timeout: the same statement may succeed a moment later. */
const PASSING_CODES = new Set(['55P03', '40P01', '40001', '57014']);

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

/** Whether the database could not be reached, so that nothing is known about the statement itself. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return code.startsWith('08') || LOST_CODES.has(code);
  return error instanceof Error && LOST_WORDS.test(error.message);
}

/** Whether tables or columns are missing that a migration makes. */
export const isNotMigrated = (error: unknown): boolean => ['42P01', '42703', '42883'].includes(codeOf(error));

/** Whether `assert_same_database` met another database than the worker knows (migration 9). */
export const isOtherDatabase = (error: unknown): boolean => codeOf(error) === 'SO001';

/** Whether somebody was in the way. */
export const isPassing = (error: unknown): boolean => PASSING_CODES.has(codeOf(error));
