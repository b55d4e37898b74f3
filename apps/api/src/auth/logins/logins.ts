import { Injectable } from '@nestjs/common';
import { Statement, type Transaction } from '#libs/platform';
import { Database, Rejected, verifyPassword } from '#libs/records';
import { rememberNetwork } from './known-networks.js';
import { LoginLimits } from './login-limits.js';

interface Account {
  readonly id: number;
  readonly passwordHash: string;
}

export interface SentLogin {
  readonly email: string;
  readonly password: string;
  /** Where it came from. */
  readonly address: string;
}

const USER_OF = Statement.named(`SELECT id, password_hash FROM users WHERE email = $1`);

/**
 * Checks email and password, within the limits, for whatever is made of a login: a token or a session (decisions.md
 * §3).
 */
@Injectable()
export class Logins {
  constructor(
    private readonly database: Database,
    private readonly limits: LoginLimits,
  ) {}

  /**
   * @param make what the login is for, in the transaction that checks that the password is still the same.
   * @throws `wrong`, TooManyRequests.
   */
  async attempt<T>(
    sent: SentLogin,
    make: (tx: Transaction, userId: number) => Promise<T>,
    wrong = wrongLogin,
  ): Promise<T> {
    const { password, address } = sent;
    const email = sent.email.toLowerCase();
    const user = await this.limits.attempt(email, address, (mayPass) => this.userOf(email, password, mayPass));
    if (user === null) throw wrong();
    const { id: userId, passwordHash } = user;
    return this.database.write(async (tx) => {
      // A change of the password locks the account's row and then ends all tokens. So this token is made before that
      // and ends with the others, or its password is wrong afterwards.
      const unchanged = `SELECT 1 FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE`;
      if ((await tx.execute<object>(unchanged, [userId, passwordHash])).length === 0) throw wrong();
      const made = await make(tx, userId);
      await rememberNetwork(tx, userId, address);
      return made;
    });
  }

  private async userOf(email: string, password: string, mayPass: boolean): Promise<Account | null> {
    const [user] = await this.database.read<Account>(USER_OF, [email]);
    return (await verifyPassword(mayPass ? user?.passwordHash : null, password)) ? user! : null;
  }
}

/** It names no field, so that nobody learns which of the two is wrong. */
const wrongLogin = () => new Rejected([{ field: '', message: 'The email or the password is wrong.' }]);
