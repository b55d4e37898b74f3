import { Statement, type Transaction } from '#libs/platform';
import { clientNetwork } from './client-network.js';

const KNOWN_DAYS = 30;
/** The most networks of one account. With more, the one whose last use is the oldest is deleted. */
const MOST_OF_ACCOUNT = 50;

/**
 * SQL: the stored hash of a network. It differs between accounts, so that nobody can see that two accounts share a
 * network.
 */
const hashOf = (userId: string, network: string) => `sha256(convert_to(${userId}::text || ' ' || ${network}, 'UTF8'))`;

/** By `uq_users_email` and `pk_known_networks`. The same statement for an account that does not exist. */
export const IS_KNOWN = Statement.named(
  `SELECT EXISTS (SELECT FROM users u JOIN known_networks n ON n.user_id = u.id AND n.network_hash = ${hashOf('u.id', '$2::text')}
    WHERE u.email = $1 AND n.last_login_utc > now() - interval '${KNOWN_DAYS} days') AS known`,
);

/** Returns a row when the network was new, or not used for an hour: not every login writes. */
const REMEMBER = Statement.named(
  `INSERT INTO known_networks AS n (user_id, network_hash) VALUES ($1::bigint, ${hashOf('$1::bigint', '$2::text')})
   ON CONFLICT (user_id, network_hash) DO UPDATE SET last_login_utc = now() WHERE n.last_login_utc < now() - interval '1 hour'
   RETURNING n.user_id`,
);

const FORGET = Statement.named(
  `DELETE FROM known_networks WHERE user_id = $1 AND network_hash IN (SELECT n.network_hash FROM known_networks n
    WHERE n.user_id = $1 ORDER BY n.last_login_utc DESC OFFSET ${MOST_OF_ACCOUNT})`,
);

/**
 * An attacker who guesses passwords can lock an account, but must not lock out its owner. So an address with a
 * successful login within 30 days is known (decisions.md §3). A change of the password does not delete it: a thief of
 * the old password gains almost nothing (one guess in 10 seconds), but without it an attacker could lock out the owner.
 */
export async function rememberNetwork(tx: Transaction, userId: number, address: string): Promise<void> {
  const remembered = await tx.execute(REMEMBER, [userId, clientNetwork(address)]);
  if (remembered.length > 0) await tx.execute(FORGET, [userId]);
}
