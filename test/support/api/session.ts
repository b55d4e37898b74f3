import type { TestApi } from '../api.js';
import type { TestDatabase } from '../database.js';
import { quickHash } from '../given.js';

/** Logs in as a browser does. @returns the headers that it sends from then on, besides those of its own. */
export async function sessionHeaders(api: TestApi, body: unknown): Promise<Record<string, string>> {
  const { status, headers } = await api.request('POST', '/api/Sessions', { body });
  expect(status).toBe(201);
  return { cookie: headers.getSetCookie()[0]!.split(';')[0]!, 'x-requested-with': 'console' };
}

/** Gives an account a password, and logs in with it. @returns as `sessionHeaders` */
export async function givenSession(
  api: TestApi,
  database: TestDatabase,
  userId: number,
): Promise<Record<string, string>> {
  const login = { Email: `session${userId}@shop.example`, Password: 'correct horse battery staple' };
  const values = [userId, login.Email, await quickHash(login.Password)];
  await database.query(`UPDATE users SET email = $2, password_hash = $3 WHERE id = $1`, values);
  return sessionHeaders(api, login);
}
