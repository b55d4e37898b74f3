import { databaseName } from '../connection/hosts.js';
import { errorCode, innermost, UnusableDatabase } from './database-errors.js';

const UNTRUSTED =
  'its certificate is not from an authority that is trusted here: sslrootcert in the URL must name the file of its authority';

/** What an error of Node or PostgreSQL means for the person who started the program. It never shows a password. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up at the moment',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENOENT: 'its socket does not exist',
  '28P01': 'user name or password is wrong',
  '28000': 'this user may not connect',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '57P03': 'it is starting up or shutting down',
  '57P01': 'it is shutting down',
  '25006': 'it is read-only',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: the URL must have the name that is in it',
};

/** A file that the URL names, such as `sslrootcert`, and that cannot be read. */
function unreadableFile(error: unknown): string | undefined {
  const { syscall, path, code } = innermost(error);
  return syscall === 'open' && typeof path === 'string' ? `${path} cannot be read (${String(code)})` : undefined;
}

const UNSUPPORTED_PARAMETER = /unsupported startup parameter(?: in options)?: (\w+)/i;

/** The startup parameter that a pooler does not accept. */
function refusedParameter(error: unknown): string | undefined {
  const { message } = innermost(error);
  return typeof message === 'string' ? UNSUPPORTED_PARAMETER.exec(message)?.[1] : undefined;
}

/** What is wrong, as a text to follow a colon. */
export const meaningOf = (error: unknown): string =>
  MEANINGS[errorCode(error) ?? ''] ??
  String(innermost(error).message ?? (error instanceof Error ? error.message : error));

/**
 * What the database, or Node, says of an error: for a line of the log. Only for errors of the database as a whole:
 * messages of others, such as of a value that is no number, quote what a client has sent.
 */
export const causeOf = (error: unknown): { code: string | undefined; cause: string } => ({
  code: errorCode(error),
  cause: String(innermost(error).message ?? error),
});

/** One sentence that says why the database cannot be reached or used. `setting`: the one that has its URL. */
export function databaseSentence(error: unknown, databaseUrl: string, setting = 'DATABASE_URL'): string {
  if (error instanceof UnusableDatabase) return error.message;
  const parameter = refusedParameter(error);
  if (parameter !== undefined)
    return `The pooler at ${databaseName(databaseUrl)} does not take the startup parameter "${parameter}": set DATABASE_POOLER=transaction (docs/operations.md).`;
  const file = unreadableFile(error);
  if (file !== undefined) return `${setting} names a file that cannot be used: ${file}.`;
  return `The database ${databaseName(databaseUrl)} cannot be reached: ${meaningOf(error)}.`;
}

/** A wrong password, a forbidden user, a missing privilege, a database that does not exist. */
const FINAL_CODES = new Set(['28P01', '28000', '42501', '3D000']);

/** Whether somebody has to change something before the database can be used. Waiting does not help. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof UnusableDatabase ||
  refusedParameter(error) !== undefined ||
  unreadableFile(error) !== undefined ||
  FINAL_CODES.has(errorCode(error) ?? '');
