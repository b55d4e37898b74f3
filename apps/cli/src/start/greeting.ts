import { DEMO_EMAIL, DEMO_PASSWORD } from '../demo/demo-account.js';
import type { Year } from '../demo/year/find-year.js';

export interface Greeting {
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly hasConsole: boolean;
  readonly hasDemoLogin: boolean;
  /** The page with what the demo's shop has packed; undefined without such a shop. */
  readonly shopUrl: string | undefined;
  /** That of the simulated demo shop, if there is one. */
  readonly year: Year | undefined;
  /** Whether it goes on now, unless it is over. */
  readonly wantsYear: boolean;
  /** Where the embedded database's data is; undefined with the user's own database. */
  readonly dataFolder: string | undefined;
}

/** The text in the terminal when everything runs. */
export function greeting(started: Greeting): string {
  const { apiUrl, workerUrl, hasConsole, hasDemoLogin, shopUrl, year, wantsYear, dataFolder } = started;
  const credentials = JSON.stringify({ Email: DEMO_EMAIL, Password: DEMO_PASSWORD, AccessScope: 'Merchant' });
  const lines = [
    '',
    'Scheduled Orders is running; Ctrl-C stops it.',
    '',
    ...(hasConsole ? [`  The console                 ${apiUrl}/console/`] : []),
    ...(shopUrl === undefined ? [] : [`  What the demo's shop packs  ${shopUrl}`]),
    `  API and its documentation   ${apiUrl}/docs`,
    `  The worker's metrics        ${workerUrl}/metrics`,
    ...(dataFolder === undefined ? [] : [`  The database's data         ${dataFolder}`]),
  ];
  if (hasDemoLogin) {
    lines.push(
      '',
      '  Log in as the demo merchant; the answer has the TokenAuth for "Authorization: Basic":',
      '',
      `  curl -s ${apiUrl}/api/AccessTokens/Login -H 'Content-Type: application/json' -d '${credentials}'`,
    );
    if (year !== undefined) lines.push('', `  ${simulated(year, wantsYear)}`);
  }
  return `${lines.join('\n')}\n\n`;
}

function simulated({ siteId, isOver }: Year, wantsYear: boolean): string {
  const shop = `Its second shop, site ${siteId}, is simulated (docs/testing.md).`;
  if (isOver) return `${shop} It has a year of orders behind it.`;
  if (!wantsYear) return `${shop} Its year of orders comes with a start without --no-demo-year.`;
  return `${shop} A year of orders is being processed there now: a line says when it is over.`;
}
