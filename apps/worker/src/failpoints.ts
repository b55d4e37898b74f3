/** The named steps of a cycle at which a test may end or freeze a worker. */
export const FAILPOINTS = [
  'after-claim',
  'after-load',
  'after-freeze',
  'after-charge',
  'before-commit',
  'after-commit',
  'after-record',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

const ACTIONS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const;

interface Armed {
  readonly signal: (typeof ACTIONS)[keyof typeof ACTIONS];
  /** How many times the step is still passed before it fails. */
  passes: number;
}

const armed = parse(process.env.FAILPOINTS ?? '');

/** Without the environment variable FAILPOINTS, a look into an empty map. */
export function reach(point: Failpoint): void {
  if (armed.size === 0) return;
  const found = armed.get(point);
  if (found === undefined || --found.passes > 0) return;
  armed.delete(point);
  process.kill(process.pid, found.signal);
}

/**
 * `after-charge:kill`, `after-freeze:stop@3` (the third time); several separated by commas.
 * @throws RangeError naming what it does not know.
 */
export function parse(text: string): Map<string, Armed> {
  const points = new Map<string, Armed>();
  for (const entry of text.split(',').filter(Boolean)) {
    const [, point = '', action = '', time] = /^([a-z-]+):([a-z]+)(?:@(\d+))?$/.exec(entry) ?? [];
    if (!(FAILPOINTS as readonly string[]).includes(point) || !(action in ACTIONS)) {
      throw new RangeError(`FAILPOINTS has "${entry}", which is no STEP:ACTION such as after-charge:kill.`);
    }
    points.set(point, { signal: ACTIONS[action as keyof typeof ACTIONS], passes: Number(time ?? 1) });
  }
  return points;
}
