import { OF_THE_CONSOLE } from './client.ts';
import { problemOf, unreachable } from './problem.ts';

async function call(path: string, init: RequestInit): Promise<void> {
  const headers = { ...OF_THE_CONSOLE, ...init.headers };
  const response = await fetch(path, { ...init, headers, credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  if (response.ok) return;
  throw problemOf(response, await response.json().catch(() => null));
}

/** Begins a session: the API sets its cookie, which this page cannot read. */
export const logIn = (email: string, password: string): Promise<void> =>
  call('/api/Sessions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Email: email, Password: password }),
  });

export const logOut = (): Promise<void> => call('/api/Session', { method: 'DELETE' });

export interface DemoLogin {
  readonly email: string;
  readonly password: string;
}

/** The demo's public login, which only `npm start` lets the API write into the page. */
export function demoLogin(): DemoLogin | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="demo-login"]')?.content ?? '';
  if (content === '') return null;
  const { email, password } = JSON.parse(content) as DemoLogin;
  return { email, password };
}
