import { notify } from '../shell/notify.ts';

/**
 * Which Idempotency-Key a request was sent with, as long as nobody knows whether it was carried out. The same request,
 * sent again from wherever on the page, also after a reload, has the same key, so that it happens once.
 */
const KEY = 'Idempotency-Key';
/** As long as the API keeps the answer to a key. */
const KEPT_MS = 24 * 3_600_000;
const STORED_AS = 'unsettled-requests';

const REPLAYED = 'The same request was carried out before, and its answer was lost. Nothing more was done now.';

/** For the `headers` of a POST. */
export interface Once {
  readonly [KEY]: string;
}

interface Unsettled {
  readonly key: string;
  readonly since: number;
  readonly isStored: boolean;
}

/** By the digest of the request: its text may name people and cards. */
const unsettled = new Map<string, Unsettled>(readStored());
/** Keys of requests with a secret in them, of which nothing is stored. */
const ofSecrets = new Set<string>();

/** Also where the page is not served over https, and `randomUUID` is missing. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

/** Without https there is no digest, but only the text. */
const isStorable = (key: string) => isSecureContext && !ofSecrets.has(key);

/** A key for a new request. One that was sent before, without an answer, goes with the key that it had. */
export function newOnce(isSecret: boolean): Once {
  const key = newKey();
  if (isSecret) ofSecrets.add(key);
  return { [KEY]: key };
}

/**
 * Sends a request, if it has a key with that of the same unsettled one, and settles it when the whole answer has come.
 */
export async function sendOnce(request: Request): Promise<Response> {
  const proposed = request.headers.get(KEY);
  if (proposed === null) return fetch(request);
  const digest = await digestOf(request);
  const before = unsettledOf(digest);
  // Before it is sent: a reload may come before the answer.
  if (before === undefined) keep(digest, { key: proposed, since: Date.now(), isStored: isStorable(proposed) });
  request.headers.set(KEY, before?.key ?? proposed);
  const response = await fetch(request);
  // An answer that breaks off is none.
  await response.clone().arrayBuffer();
  if (isSettledBy(response)) keep(digest, null);
  if (response.headers.get('idempotent-replayed') === 'true') void notify({ title: 'Done before', message: REPLAYED });
  return response;
}

/**
 * A success; or a refusal of this very request, which is not stored: nothing was done. A 409 may mean that the first
 * one is still being worked on; a 401, 403, 429 or 5xx came before anybody looked at the key.
 */
const isSettledBy = ({ ok, status }: Response) => ok || status === 400 || status === 404 || status === 422;

function unsettledOf(digest: string): Unsettled | undefined {
  const found = unsettled.get(digest);
  if (found === undefined || Date.now() - found.since < KEPT_MS) return found;
  unsettled.delete(digest);
  return undefined;
}

function keep(digest: string, request: Unsettled | null): void {
  if (request === null) unsettled.delete(digest);
  else unsettled.set(digest, request);
  const stored = [...unsettled].filter(([, { isStored }]) => isStored);
  try {
    if (stored.length === 0) sessionStorage.removeItem(STORED_AS);
    else sessionStorage.setItem(STORED_AS, JSON.stringify(stored));
  } catch {
    // A browser may allow no storage: then keys last as long as the page.
  }
}

function readStored(): [string, Unsettled][] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]') as [string, Unsettled][];
    return stored.filter(([, { since }]) => Date.now() - since < KEPT_MS);
  } catch {
    return [];
  }
}

async function digestOf(request: Request): Promise<string> {
  const text = `${request.method} ${request.url} ${await request.clone().text()}`;
  if (!isSecureContext) return text;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
