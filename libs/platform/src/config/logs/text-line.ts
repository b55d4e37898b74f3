/** Fields that the line shows in other places, or that do not help a reader at a terminal. */
const PLACED = new Set(['level', 'time', 'process', 'context', 'msg', 'err', 'pid', 'hostname']);

interface Line {
  readonly level?: string;
  readonly time?: string;
  readonly process?: string;
  readonly context?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/**
 * One JSON log line as a person reads it: `12:00:05 worker processed 3 orders ms=12`.
 * Only warnings and errors name their level and show an error's stack.
 */
export function textLine(json: string): string {
  let line: Line;
  try {
    line = JSON.parse(json) as Line;
  } catch {
    return json;
  }
  const grave = line.level === 'warn' || line.level === 'error' || line.level === 'fatal';
  const head = [
    line.time?.slice(11, 19) ?? '',
    (line.process ?? '').padEnd(6),
    ...(grave ? [`${line.level!.toUpperCase()}:`] : []),
  ];
  const message = line.msg ?? line.err?.message ?? '';
  const cause = line.err?.message !== undefined && !message.includes(line.err.message) ? ` (${line.err.message})` : '';
  const rest = Object.entries(line)
    .filter(([field, value]) => !PLACED.has(field) && value !== undefined && value !== null)
    .map(([field, value]) => `${field}=${shown(value)}`);
  const stack = line.level === 'error' || line.level === 'fatal' ? framesOf(line.err?.stack) : '';
  return `${[...head, message + cause, ...rest].join(' ').trimEnd()}\n${stack}`;
}

function framesOf(stack: string | undefined): string {
  if (stack === undefined) return '';
  const frames = stack.split('\n').filter((frame) => /^\s+at /.test(frame));
  return frames.length === 0 ? '' : `${frames.join('\n')}\n`;
}
