import { hash, verify } from '@node-rs/argon2';

/** Argon2id with OWASP's first recommendation: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a random password: with it, an unknown account takes the same time as a wrong password. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$FdfhVqcgahnBuWMZTnPFSQ$7xmY/OLLXr/vx9QhA6AMlvflcczjSFJ3nY00VReL8gI';

/** The same text can arrive in composed or decomposed Unicode form, depending on keyboard and system (RFC 8265). */
const prepared = (password: string) => password.normalize('NFC');

export function hashPassword(password: string): Promise<string> {
  return hash(prepared(password), COST);
}

/**
 * Whether `password` matches `passwordHash`. Without a hash (no such account) it takes the same time and returns false
 * (decisions.md §3).
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODYS_HASH, prepared(password));
  return matches && passwordHash !== null && passwordHash !== undefined;
}
