import createClient from 'openapi-fetch';
import { isSomebodyThere } from '../shell/presence.ts';
import { askForPassword } from '../shell/session-state.ts';
import { isPasswordNeeded, passwordNotEntered, problemOf, unreachable } from './problem.ts';
import type { components, paths } from './schema.js';
import { sendOnce } from './unsettled.ts';

/** The resources of the API by name, e.g. `Resource<'ScheduledOrder'>`. */
export type Resource<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The session's cookie counts only with this header, which a page of another origin cannot send. */
export const OF_THE_CONSOLE = { 'X-Requested-With': 'console' } as const;

/** What needs the password is sent again when it was entered. */
async function send(request: Request): Promise<Response> {
  if (!isSomebodyThere()) request.headers.set('X-Session-Use', 'none');
  const again = request.clone();
  const response = await answerTo(request);
  if (!(await isPasswordNeeded(response))) return response;
  if (!(await askForPassword())) throw passwordNotEntered();
  return answerTo(again);
}

async function answerTo(request: Request): Promise<Response> {
  try {
    return await sendOnce(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw unreachable();
  }
}

/** The API as its own document types it. Give its calls to `ask` or `askPage`. */
export const api = createClient<paths>({
  baseUrl: '/',
  credentials: 'same-origin',
  headers: OF_THE_CONSOLE,
  fetch: send,
});

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of an answer.
 * @throws ApiProblem for every other answer than a success.
 */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** Its cursor, or its number where the list has pages by number; null on the last page. */
  readonly next: string | null;
}

/** The same for a list: `Link: …; rel="next"` leads to its next page. */
export async function askPage<T>(call: Promise<Answer<readonly T[]>>): Promise<Page<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response, error);
  return { rows: data ?? [], next: nextCursor(response.headers.get('link')) };
}

function nextCursor(link: string | null): string | null {
  const path = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  if (path === undefined) return null;
  const { searchParams } = new URL(path, location.origin);
  return searchParams.get('cursor') ?? searchParams.get('page');
}
