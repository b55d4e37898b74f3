import { DEMO_EMAIL, DEMO_PASSWORD } from '../demo/demo-account.js';

export interface Greeting {
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly hasConsole: boolean;
  readonly hasDemoLogin: boolean;
  /** Where the embedded database's data is; undefined with the user's own database. */
  readonly dataFolder: string | undefined;
}

/** The text in the terminal when everything runs. */
export function greeting({ apiUrl, workerUrl, hasConsole, hasDemoLogin, dataFolder }: Greeting): string {
  const credentials = JSON.stringify({ Email: DEMO_EMAIL, Password: DEMO_PASSWORD, AccessScope: 'Merchant' });
  const lines = [
    '',
    'Scheduled Orders is running; Ctrl-C stops it.',
    '',
    ...(hasConsole ? [`  The console                 ${apiUrl}/console/`] : []),
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
  }
  return `${lines.join('\n')}\n\n`;
}
