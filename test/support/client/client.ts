import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../../apps/console/src/api/schema.js';

export type { components } from '../../../apps/console/src/api/schema.js';

/** A client of the API as its document types it; every request carries the token. */
export const clientOf = (baseUrl: string, tokenAuth?: string): Client<paths> =>
  createClient<paths>({ baseUrl, headers: tokenAuth === undefined ? {} : { authorization: `Basic ${tokenAuth}` } });
