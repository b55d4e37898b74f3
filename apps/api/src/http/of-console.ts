import type { IncomingHttpHeaders } from 'node:http';

/** A page of another site cannot send this header without a preflight, and a form not at all. */
export const isOfConsole = (headers: IncomingHttpHeaders): boolean => headers['x-requested-with'] === 'console';
