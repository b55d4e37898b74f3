import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a token's secret: 256 random bits need no slow hash (decisions.md §3). */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

export function newSecret(): { secret: string; secretHash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, secretHash: hashOf(secret) };
}

/** The value after `Authorization: Basic`: RFC 7617's user and password are the token's id and secret. */
export const tokenAuth = (id: number, secret: string) => Buffer.from(`${id}:${secret}`).toString('base64');

/** Compares in constant time. */
export const isSecret = (secret: string, secretHash: Buffer) => timingSafeEqual(hashOf(secret), secretHash);
