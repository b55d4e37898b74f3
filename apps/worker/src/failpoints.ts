import { EXIT_CONFIGURATION, type Logger } from '#libs/platform';

/** The named steps of a cycle, of a webhook, or of a push, at which a test may kill or freeze a worker. */
export const FAILPOINTS = [
  'after-claim',
  'after-load',
  'after-freeze',
  'after-charge',
  'before-commit',
  'after-commit',
  'after-record',
  'after-webhook',
  'after-push-create',
  'after-push-settle',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

const ACTIONS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const;

interface Armed {
  readonly signal: (typeof ACTIONS)[keyof typeof ACTIONS];
  /** How many more times the step passes before it fails. */
  passes: number;
}

let armed = new Map<string, Armed>();

/**
 * For tests: arms the steps that the environment variable FAILPOINTS names, and logs a warning. It is not a setting: a
 * `.env` file cannot set it, and NODE_ENV=production refuses it. With a wrong value the process ends, as with wrong
 * settings.
 */
export function armFailpoints(log: Logger, { FAILPOINTS: text = '', NODE_ENV } = process.env): void {
  if (text === '') return;
  try {
    if (NODE_ENV === 'production') throw new RangeError('FAILPOINTS is for tests only: NODE_ENV is production.');
    armed = parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log.fatal(error.message);
    process.exit(EXIT_CONFIGURATION);
  }
  log.warn(`FAILPOINTS is set for a test: this worker will kill or freeze itself (${text}).`);
}

/** Without armed failpoints, this is a look-up in an empty map. */
export function reach(point: Failpoint): void {
  if (armed.size === 0) return;
  const found = armed.get(point);
  if (found === undefined || --found.passes > 0) return;
  armed.delete(point);
  process.kill(process.pid, found.signal);
}

/**
 * `after-charge:kill`, `after-freeze:stop@3` (the third time); several separated by commas.
 * @throws RangeError that names the wrong entry.
 */
export function parse(text: string): Map<string, Armed> {
  const points = new Map<string, Armed>();
  for (const entry of text.split(',').filter(Boolean)) {
    const [, point = '', action = '', time] = /^([a-z-]+):([a-z]+)(?:@([1-9]\d*))?$/.exec(entry) ?? [];
    if (!(FAILPOINTS as readonly string[]).includes(point) || !Object.hasOwn(ACTIONS, action)) {
      throw new RangeError(
        `FAILPOINTS has "${entry}", which is not STEP:ACTION or STEP:ACTION@TIME: steps are ${FAILPOINTS.join(', ')}; ` +
          `actions are ${Object.keys(ACTIONS).join(', ')}.`,
      );
    }
    points.set(point, { signal: ACTIONS[action as keyof typeof ACTIONS], passes: Number(time ?? 1) });
  }
  return points;
}
