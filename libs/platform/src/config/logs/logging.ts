import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { activeTracing } from '../../tracing/index.js';
import type { Settings } from '../settings/settings.js';
import { textLine } from './text-line.js';

export type Logger = PinoLogger;

/** Where credentials may appear in logged objects: at the top, and one and two levels down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'Password',
  'TokenAuth',
  'tokenAuth',
  'apiKey1',
  'apiKey2',
  'apiKey3',
];
const SECRET_PATHS = [
  ...['["set-cookie"]', '*["set-cookie"]', '*.*["set-cookie"]'],
  ...SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  ...['ApiKey1', 'ApiKey2', 'ApiKey3'].flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
];

/**
 * The properties of an error that are logged. Nothing else is: TypeORM's errors have the statement's parameters, and
 * PostgreSQL's quote whole rows in their detail.
 */
function loggedError(thrown: unknown): object {
  const error = thrown as (Error & { code?: unknown; constraint?: unknown }) | null | undefined;
  if (typeof error?.message !== 'string') return { type: typeof thrown, message: String(thrown) };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, constraint } = error;
  return { type, message, stack, code, constraint };
}

function textDestination(to: NodeJS.WritableStream): DestinationStream {
  return { write: (line) => void to.write(textLine(line)) };
}

/**
 * The process's logger: JSON lines, or one readable line each (LOG_FORMAT; on a terminal by default).
 * @param processName `api`, `worker` or `cli`; every line has it.
 */
export function createLogger(
  processName: string,
  settings: Pick<Settings, 'logLevel' | 'logFormat'> & Partial<Pick<Settings, 'tracesEndpoint'>>,
  to: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Logger {
  const options = {
    level: settings.logLevel,
    base: { process: processName },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: loggedError },
    // The trace that a line belongs to.
    ...(settings.tracesEndpoint === undefined
      ? {}
      : { mixin: (line: object) => activeTracing()?.logFields(line) ?? {} }),
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  };
  const format = settings.logFormat ?? (to.isTTY === true ? 'text' : 'json');
  if (format === 'text') return pino(options, textDestination(to));
  // Writes directly to the file descriptor, so that the last lines before an exit are not lost.
  return to === process.stdout ? pino(options, pino.destination({ fd: 1, sync: true })) : pino(options, to);
}
