import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from './client.ts';
import { ApiProblem } from './problem.ts';

/** Begins a session: the API sets its cookie, which this page cannot read. */
export const logIn = (login: Resource<'SessionLogin'>): Promise<Resource<'Session'>> =>
  ask(api.POST('/api/Sessions', { body: login }));

/** Enters the password again: for 10 minutes the session may do what needs it. */
export const confirmSession = (password: string): Promise<Resource<'Session'>> =>
  ask(api.POST('/api/Session/Confirm', { body: { Password: password } }));

/** A session that has ended already is no error. */
export async function logOut(): Promise<void> {
  try {
    await ask(api.DELETE('/api/Session'));
  } catch (error) {
    if (!(error instanceof ApiProblem && error.isSessionLost)) throw error;
  }
}

/** Who has logged in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask(api.GET('/api/Session', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export interface DemoLogin {
  readonly email: string;
  readonly password: string;
}

/** The demo's public login, which only `npm start` lets the API write into the page. */
export function demoLogin(): DemoLogin | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="demo-login"]')?.content ?? '';
  return content === '' ? null : (JSON.parse(content) as DemoLogin);
}
