import { createHmac, randomBytes } from 'node:crypto';
import { productVersion, type Vault } from '#libs/platform';
import { decryptCredentials, ENDPOINT_SECRETS } from '#libs/records';

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

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64 of 32 random bytes (Standard Webhooks). */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The key that a secret stands for. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** What the messages to an endpoint are signed with, as it is stored: encrypted. */
export interface SigningSecrets {
  readonly id: number;
  readonly secret: string;
  /** While it signs as well (`livingPreviousSql`). */
  readonly previousSecret: string | null;
}

/** SQL: the previous secret of an endpoint while it signs as well, else null. */
export const livingPreviousSql = (alias: string): string =>
  `CASE WHEN ${alias}.previous_until_utc > now() THEN ${alias}.previous_secret END`;

/** The secrets that sign now, the newest first. @throws DecryptionError. */
export function decryptSigningSecrets(vault: Vault, stored: SigningSecrets): string[] {
  const { secret, previousSecret } = decryptCredentials(vault, ENDPOINT_SECRETS, stored);
  return previousSecret === null ? [secret] : [secret, previousSecret];
}
