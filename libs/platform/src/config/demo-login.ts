import type { Environment } from './settings/settings.js';

/** A login that everybody knows. */
export interface DemoLogin {
  readonly email: string;
  readonly password: string;
}

/** Not a setting: `npm start` alone gives it to the API that it starts. A `.env` file is not read for it. */
const VARIABLE = 'START_DEMO_LOGIN';

/**
 * What `npm start` adds to the environment of its API, so that the console's log-in page has the demo's login filled
 * in.
 */
export const passDemoLogin = (login: DemoLogin | undefined): Environment => ({
  [VARIABLE]: login === undefined ? undefined : JSON.stringify([process.pid, login]),
});

/** The login that the process's parent has passed on; undefined for every process that `npm start` has not started. */
export function passedDemoLogin(env: Environment, parentId: number): DemoLogin | undefined {
  try {
    const [startedBy, login] = JSON.parse(env[VARIABLE] ?? '[]') as [unknown, DemoLogin | undefined];
    return startedBy === parentId ? login : undefined;
  } catch {
    return undefined;
  }
}
