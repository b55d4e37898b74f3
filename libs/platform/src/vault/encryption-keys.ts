import { createHash } from 'node:crypto';
import { EncryptionKeyError } from './errors.js';

/** A 256-bit key and the id by which an encrypted value names it: the first 8 hex digits of the key's SHA-256. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

const FORM = 'ENCRYPTION_KEY must be 64 hexadecimal digits (32 random bytes; `openssl rand -hex 32` makes them)';

/**
 * Reads `ENCRYPTION_KEY`: one key, or several separated by commas (the first encrypts, all decrypt), or these as a
 * list.
 * @throws EncryptionKeyError that says what is wrong, without repeating the value.
 */
export function parseEncryptionKeys(setting: string | readonly string[]): EncryptionKey[] {
  const parts = (typeof setting === 'string' ? setting.split(',') : setting).map((part) => part.trim());
  const keys = parts.map((part, index) => {
    if (!/^[0-9a-f]{64}$/i.test(part)) {
      const which = parts.length > 1 ? ` Key ${index + 1} of ${parts.length} is not.` : '';
      throw new EncryptionKeyError(`${FORM}, or several such keys separated by commas.${which}`);
    }
    return encryptionKey(Buffer.from(part, 'hex'));
  });
  if (new Set(keys.map((key) => key.id)).size < keys.length) {
    throw new EncryptionKeyError('ENCRYPTION_KEY names the same key twice. Give each key once, the newest first.');
  }
  return keys;
}

function encryptionKey(key: Buffer): EncryptionKey {
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}
