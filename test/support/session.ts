import type { TestApi } from './api.js';

/** Logs in as a browser does. @returns the headers that it sends from then on, besides those of its own. */
export async function sessionHeaders(api: TestApi, body: unknown): Promise<Record<string, string>> {
  const { status, headers } = await api.request('POST', '/api/Sessions', { body });
  expect(status).toBe(201);
  return { cookie: headers.getSetCookie()[0]!.split(';')[0]!, 'x-requested-with': 'console' };
}
