import type { IncomingHttpHeaders } from 'node:http';

/** A page of another site cannot send this header without a preflight, and a form not at all. */
export const isOfConsole = (headers: IncomingHttpHeaders): boolean => headers['x-requested-with'] === 'console';

/** A page sends it by itself, with nobody there: it is no use of the session (decisions.md §3, Sessions). */
export const isByItself = (headers: IncomingHttpHeaders): boolean => headers['x-session-use'] === 'none';
