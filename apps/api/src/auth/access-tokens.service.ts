import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/config';
import { Statement, type Transaction } from '#libs/database';
import { accessTokenView, type Caller, Database, Forbidden, Rejected, verifyPassword } from '#libs/records';
import type { GenerateDto, LoginDto } from '../contract/login.dto.js';
import type { Camel } from '../http/names.js';
import { SETTINGS } from '../http/tokens.js';
import { rememberNetwork } from './known-networks.js';
import { LoginLimits } from './login-limits.js';
import { makeRoom } from './token-bounds.js';
import { newSecret, tokenAuth } from './token-secret.js';

interface Account {
  readonly id: string;
  readonly password_hash: string;
}

const USER_OF = Statement.of(`SELECT id, password_hash FROM users WHERE email = $1`);

/** Makes tokens: for a password, or from another token (decisions.md §3). */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly database: Database,
    private readonly limits: LoginLimits,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async login(sent: Camel<LoginDto>, address: string): Promise<string> {
    const customerId = customerOf(sent);
    const email = sent.email.toLowerCase();
    const user = await this.limits.attempt(email, address, (mayPass) => this.userOf(email, sent.password, mayPass));
    if (user === null) throw wrongLogin();
    const { id: userId, password_hash: passwordHash } = user;
    return this.database.write(async (tx) => {
      // A change of the password locks the account's row and then ends all tokens. So this token is made before that and ends with the others, or its
      // password is wrong afterwards.
      const unchanged = `SELECT 1 FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE`;
      if ((await tx.execute<object>(unchanged, [userId, passwordHash])).length === 0) throw wrongLogin();
      await assertCustomer(tx, Number(userId), customerId);
      const made = await this.make(tx, Number(userId), customerId, null);
      await rememberNetwork(tx, Number(userId), address);
      return made;
    });
  }

  generate(caller: Caller, sent: Camel<GenerateDto>): Promise<string> {
    if (caller.scope === 'Customer' && sent.accessScope === 'Merchant') {
      throw new Forbidden('A Customer token cannot be exchanged for a Merchant token: log in instead.');
    }
    const customerId = customerOf(sent);
    if (caller.customerId !== null && customerId !== caller.customerId) {
      throw new Forbidden(`This token is limited to customer ${caller.customerId}.`);
    }
    return this.database.write(async (tx) => {
      // Revoking a family locks the account's row first. So a token is made either before that, and revoked with the others, or after it, when its
      // parent is seen as revoked.
      await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE`, [caller.userId]);
      const [parent] = await tx.execute<object>(
        `SELECT 1 FROM access_tokens WHERE id = $1 AND revoked_utc IS NULL AND expires_utc > now()`,
        [caller.tokenId],
      );
      if (parent === undefined) throw new Forbidden('The presented token was revoked: log in again.');
      await assertCustomer(tx, caller.userId, customerId);
      return this.make(tx, caller.userId, customerId, caller.tokenId);
    });
  }

  private async userOf(email: string, password: string, mayPass: boolean): Promise<Account | null> {
    const [user] = await this.database.read<Account>(USER_OF, [email]);
    return (await verifyPassword(mayPass ? user?.password_hash : null, password)) ? user! : null;
  }

  private async make(tx: Transaction, userId: number, customerId: number | null, parentId: number | null) {
    await makeRoom(tx, { userId, customerId, parentId });
    const { secret, secretHash } = newSecret();
    const [made] = await tx.execute<{ id: string; json: Record<string, unknown> }>(
      `INSERT INTO access_tokens AS x (user_id, secret_hash, access_scope, customer_id, parent_id, expires_utc)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) RETURNING x.id, ${accessTokenView.json('x')} AS json`,
      [
        userId,
        secretHash,
        customerId === null ? 'Merchant' : 'Customer',
        customerId,
        parentId,
        this.settings.accessTokenTtlMs / 1000,
      ],
    );
    return JSON.stringify({ ...made!.json, TokenAuth: tokenAuth(Number(made!.id), secret) });
  }
}

/** It names no field, so that nobody learns which of the two is wrong. */
const wrongLogin = () => new Rejected([{ field: '', message: 'The email or the password is wrong.' }]);

/** A client that asks for a restriction must not get a token without it (decisions.md §3). */
function customerOf({ accessScope, customerId = null }: Camel<GenerateDto>): number | null {
  if (accessScope === 'Customer' && customerId === null) {
    throw new Rejected([{ field: 'CustomerId', message: 'is required when AccessScope is Customer.' }]);
  }
  if (accessScope === 'Merchant' && customerId !== null) {
    const message = 'A Merchant token never carries a customer: leave it out, or ask for AccessScope Customer.';
    throw new Rejected([{ field: 'CustomerId', message }]);
  }
  return customerId;
}

async function assertCustomer(tx: Transaction, userId: number, customerId: number | null): Promise<void> {
  if (customerId === null) return;
  const [customer] = await tx.execute<object>(
    `SELECT 1 FROM customers c JOIN sites s ON s.id = c.site_id
     WHERE c.id = $1 AND c.deleted_utc IS NULL AND s.user_id = $2 FOR KEY SHARE OF c`,
    [customerId, userId],
  );
  if (customer === undefined) throw new Forbidden(`Customer ${customerId} is not a customer of this account.`);
}
