/** Who sent a request, as its log entry says it: its token, or the API key in a token's form. */
export interface Author {
  readonly token: { readonly Id: number; readonly UserId: number; readonly CustomerId: number | null } | null;
  /** Null for a token, and for a key that was deleted since. */
  readonly key_name: string | null;
  readonly description: string | null;
}

/** A log entry that a command wrote has this in place of a token's id. */
const COMMAND = 0;

/** For merchants: which user, key, customer or command. */
export function authorName({ token, key_name: keyName, description }: Author): string | null {
  if (token === null) return null;
  const { Id: id, UserId: userId, CustomerId: customerId } = token;
  if (id === COMMAND) return `Command ${/ by (\S+.*)\.$/.exec(description ?? '')?.[1] ?? 'line'}`;
  if (keyName !== null) return `API key ${id} (${keyName})`;
  if (description?.includes(`by API key ${id}`)) return `API key ${id}`;
  return customerId === null ? `User ${userId} (token ${id})` : `Customer ${customerId} (token ${id})`;
}

/** For the customer: nobody of the shop has a name. */
export const authorForCustomers = ({ token }: Author): string => (token?.CustomerId == null ? 'Shop' : 'Customer');
