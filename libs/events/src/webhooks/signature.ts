import { createHmac } from 'node:crypto';
import { productVersion } from '#libs/platform';
import { keyOf } from './secret.js';

/** What is sent, byte for byte. */
export interface Message {
  /** `evt_<uuid>`: the same for every try. */
  readonly id: string;
  readonly body: string;
}

const signatureOf = (secret: string, { id, body }: Message, timestamp: number): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

const USER_AGENT = `scheduled-orders/${productVersion()}`;

/**
 * The headers of one try (Standard Webhooks 1.0.0). `secrets`: the present one first; each signs. `sentUtc`: of this
 * try.
 */
export function signedHeaders(message: Message, secrets: readonly string[], sentUtc: Date): Record<string, string> {
  const timestamp = Math.floor(sentUtc.getTime() / 1_000);
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': USER_AGENT,
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, message, timestamp)).join(' '),
  };
}
