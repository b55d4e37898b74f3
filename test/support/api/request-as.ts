import { request } from 'node:http';
import type { Json } from '../api.js';

interface RequestOptions {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string> | undefined;
}

/** Asks an API under a name that is not its own, as a browser does whom DNS has led there. */
export function requestAs(
  host: string,
  url: string,
  { method = 'GET', body, headers = {} }: RequestOptions = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string; body: Json }> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, headers: { ...type, ...headers, host } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        const isJson = answer.headers['content-type']?.includes('json') === true;
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : text,
        });
      });
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}
