import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from './client.ts';

/** Begins a session: the API sets its cookie, which this page cannot read. */
export const logIn = (login: Resource<'SessionLogin'>): Promise<Resource<'Session'>> =>
  ask(api.POST('/api/Sessions', { body: login }));

export const logOut = (): Promise<void> => ask(api.DELETE('/api/Session'));

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
