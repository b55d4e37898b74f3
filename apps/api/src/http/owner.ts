import type { Caller } from '#libs/records';

/** Who is behind a caller: an account, one of its customers, or one of its API keys. */
export type Owner = Pick<Caller, 'userId' | 'customerId' | 'keyAccess' | 'tokenId'>;

/** One text for all tokens of an account, or of a customer, and one for each API key. */
export function ownerOf({ userId, customerId, keyAccess, tokenId }: Owner): string {
  if (keyAccess !== null) return `key:${tokenId}`;
  return customerId === null ? `account:${userId}` : `customer:${customerId}`;
}
