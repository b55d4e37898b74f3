import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/config';
import { Statement, type Transaction } from '#libs/database';
import {
  accessTokenView,
  type Caller,
  Database,
  Forbidden,
  newSecret,
  outOfReach,
  Rejected,
  tokenAuth,
  verifyPassword,
} from '#libs/records';
import type { GenerateDto, LoginDto } from '../contract/login.dto.js';
import type { Camel } from '../http/names.js';
import { SETTINGS } from '../http/tokens.js';
import { rememberNetwork } from './known-networks.js';
import { LoginLimits } from './login-limits.js';
import { makeRoom, type NewToken } from './token-bounds.js';
import { assertTokenLives } from './token-families.js';

interface Account {
  readonly id: string;
  readonly password_hash: string;
}

const USER_OF = Statement.of(`SELECT id, password_hash FROM users WHERE email = $1`);

/** Makes tokens: for a password, from another token, or with an API key (decisions.md §3). */
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
      const owner = { userId: Number(userId), customerId };
      await assertCustomer(tx, owner);
      const made = await this.make(tx, { ...owner, parentId: null, apiKeyId: null });
      await rememberNetwork(tx, Number(userId), address);
      return made;
    });
  }

  generate(caller: Caller, sent: Camel<GenerateDto>): Promise<string> {
    assertNotWider(caller, sent);
    const customerId = customerOf(sent);
    if (caller.customerId !== null && customerId !== caller.customerId) {
      throw new Forbidden(`This token is limited to customer ${caller.customerId}.`);
    }
    const owner = { userId: caller.userId, customerId };
    return this.database.write(async (tx) => {
      // Revoking a family locks the account's row first. So a token is made either before that, and revoked with the others, or after it, when its
      // parent is seen as revoked.
      await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE`, [caller.userId]);
      const apiKeyId = await assertTokenLives(tx, caller);
      await assertCustomer(tx, owner, caller);
      return this.make(tx, { ...owner, parentId: caller.keyAccess === null ? caller.tokenId : null, apiKeyId });
    });
  }

  private async userOf(email: string, password: string, mayPass: boolean): Promise<Account | null> {
    const [user] = await this.database.read<Account>(USER_OF, [email]);
    return (await verifyPassword(mayPass ? user?.password_hash : null, password)) ? user! : null;
  }

  /** A token that belongs to an API key does not outlive it. */
  private async make(tx: Transaction, token: NewToken & { readonly apiKeyId: number | null }) {
    await makeRoom(tx, token);
    const { userId, customerId, parentId, apiKeyId } = token;
    const { secret, secretHash } = newSecret();
    const [made] = await tx.execute<{ id: string; json: Record<string, unknown> }>(
      `INSERT INTO access_tokens AS x (user_id, secret_hash, access_scope, customer_id, parent_id, api_key_id, expires_utc)
       VALUES ($1, $2, $3, $4, $5, $6, least(now() + make_interval(secs => $7), (SELECT k.expires_utc FROM api_keys k WHERE k.id = $6)))
       RETURNING x.id, ${accessTokenView.json('x')} AS json`,
      [
        userId,
        secretHash,
        customerId === null ? 'Merchant' : 'Customer',
        customerId,
        parentId,
        apiKeyId,
        this.settings.accessTokenTtlMs / 1000,
      ],
    );
    return JSON.stringify({ ...made!.json, TokenAuth: tokenAuth(Number(made!.id), secret) });
  }
}

/** It names no field, so that nobody learns which of the two is wrong. */
const wrongLogin = () => new Rejected([{ field: '', message: 'The email or the password is wrong.' }]);

/** @throws Forbidden for a token that reaches more than what it is made with. */
function assertNotWider({ scope, keyAccess }: Caller, { accessScope }: Camel<GenerateDto>): void {
  if (accessScope === 'Customer') return;
  if (scope === 'Customer') {
    throw new Forbidden('A Customer token cannot be exchanged for a Merchant token: log in instead.');
  }
  if (keyAccess !== null) {
    throw new Forbidden('An API key makes Customer tokens only: send AccessScope Customer and a CustomerId.');
  }
}

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

type Owner = Pick<NewToken, 'userId' | 'customerId'>;

/** @throws Forbidden when it is not a customer of the account, or not of the caller's sites. */
async function assertCustomer(tx: Transaction, { userId, customerId }: Owner, caller?: Caller): Promise<void> {
  if (customerId === null) return;
  const [customer] = await tx.execute<{ site_id: string }>(
    `SELECT c.site_id FROM customers c JOIN sites s ON s.id = c.site_id
     WHERE c.id = $1 AND c.deleted_utc IS NULL AND s.user_id = $2 FOR KEY SHARE OF c`,
    [customerId, userId],
  );
  if (customer === undefined) throw new Forbidden(`Customer ${customerId} is not a customer of this account.`);
  const isReached = caller === undefined || caller.siteIds.includes(Number(customer.site_id));
  if (!isReached) throw outOfReach(caller, `Customer ${customerId}`);
}
