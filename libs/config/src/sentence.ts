/** What an error of Node or PostgreSQL means to the person who started the program; never a password. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up just now',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENOENT: 'its socket does not exist',
  '28P01': 'user name or password is wrong',
  '28000': 'this user may not connect',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '57P03': 'it is starting up or shutting down',
  '57P01': 'it is shutting down',
};

interface Coded {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly errors?: readonly unknown[];
  readonly cause?: unknown;
}

/** The innermost error that has a code: Node wraps what each address of a host answered. */
function coded(error: unknown): Coded {
  const outer = error as Coded;
  if (Array.isArray(outer.errors) && outer.errors.length > 0) return coded(outer.errors[0]);
  if (typeof outer.code !== 'string' && outer.cause !== undefined && outer.cause !== null) return coded(outer.cause);
  return outer;
}

/** The code of an error of Node (`ECONNREFUSED`) or PostgreSQL (`28P01`), also of a wrapped one. */
export function errorCode(error: unknown): string | undefined {
  const { code } = coded(error);
  return typeof code === 'string' ? code : undefined;
}

/** `host:port/database` of a database URL: all of it that may be shown. */
export function databaseName(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the database';
  const url = new URL(databaseUrl);
  return `${url.hostname === '' ? (url.searchParams.get('host') ?? 'local socket') : url.hostname}:${url.port || '5432'}${url.pathname}`;
}

/** One sentence on why the database cannot be reached. */
export function databaseSentence(error: unknown, databaseUrl: string): string {
  const inner = coded(error);
  const meaning = MEANINGS[errorCode(error) ?? ''] ?? String(inner.message ?? error);
  return `The database ${databaseName(databaseUrl)} cannot be reached: ${meaning}.`;
}

/** One sentence on why `address` cannot be listened on. */
export function listenSentence(error: unknown, setting: string, host: string, port: number): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop that one, or set ${setting} to another port.`;
  if (code === 'EACCES') return `Port ${port} may not be opened by this user: set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${String(coded(error).message ?? error)}.`;
}
