import { Inject, Injectable } from '@nestjs/common';
import { NamedValues, type Settings, type Transaction } from '#libs/platform';
import {
  accessTokenView,
  assertReach,
  type Caller,
  Database,
  Forbidden,
  isReached,
  newSecret,
  Rejected,
  tokenAuth,
} from '#libs/records';
import type { GenerateDto, LoginDto } from '../../contract/accounts/login.dto.js';
import type { Camel } from '../../http/parameters/names.js';
import { SETTINGS } from '../../http/tokens.js';
import { Logins } from '../logins/logins.js';
import { makeRoom, type NewToken } from './token-bounds.js';
import { assertTokenLives } from './token-families.js';

const TOKEN = new NamedValues({
  userId: 'bigint',
  secretHash: 'bytea',
  accessScope: 'text',
  customerId: 'bigint',
  parentId: 'bigint',
  apiKeyId: 'bigint',
  ttlSeconds: 'float8',
});
const { $ } = TOKEN;

/** Makes tokens: for a password, from another token, or with an API key (decisions.md §3). */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly database: Database,
    private readonly logins: Logins,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws Rejected, TooManyRequests; Forbidden for a customer that is not the account's. */
  async login(sent: Camel<LoginDto>, address: string): Promise<string> {
    const customerId = customerOf(sent);
    return this.logins.attempt({ ...sent, address }, async (tx, userId) => {
      const owner = { userId, customerId };
      await assertCustomer(tx, owner);
      return this.make(tx, { ...owner, parentId: null, apiKeyId: null });
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
      // Revoking a family locks the account's row first. So a token is made either before that, and revoked with the
      // others, or after it, when its parent is seen as revoked.
      await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE`, [caller.userId]);
      const apiKeyId = await assertTokenLives(tx, caller);
      await assertCustomer(tx, owner, caller);
      return this.make(tx, { ...owner, parentId: caller.keyAccess === null ? caller.tokenId : null, apiKeyId });
    });
  }

  /** A token that belongs to an API key does not outlive it. */
  private async make(tx: Transaction, token: NewToken & { readonly apiKeyId: number | null }) {
    await makeRoom(tx, token);
    const { secret, secretHash } = newSecret();
    const accessScope = token.customerId === null ? 'Merchant' : 'Customer';
    const ttlSeconds = this.settings.accessTokenTtlMs / 1000;
    const [made] = await tx.execute<{ id: number; json: Record<string, unknown> }>(
      `INSERT INTO access_tokens AS x (user_id, secret_hash, access_scope, customer_id, parent_id, api_key_id, expires_utc)
       VALUES (${$.userId}, ${$.secretHash}, ${$.accessScope}, ${$.customerId}, ${$.parentId}, ${$.apiKeyId},
         least(now() + make_interval(secs => ${$.ttlSeconds}), (SELECT k.expires_utc FROM api_keys k WHERE k.id = ${$.apiKeyId})))
       RETURNING x.id, ${accessTokenView.json('x')} AS json`,
      TOKEN.values({ secretHash, accessScope, ttlSeconds, ...token }),
    );
    return JSON.stringify({ ...made!.json, TokenAuth: tokenAuth(made!.id, secret) });
  }
}

/** @throws Forbidden for a token that reaches more than what it is made with. */
function assertNotWider({ scope, keyAccess, isSession }: Caller, { accessScope }: Camel<GenerateDto>): void {
  // Its token would outlive the session, and be in the reach of a page's scripts.
  if (isSession) throw new Forbidden("A browser's session makes no tokens: log in at POST /api/AccessTokens/Login.");
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
  const [customer] = await tx.execute<{ reached: boolean }>(
    `SELECT ${isReached('c.site_id', '$3::bigint[]')} AS reached FROM customers c JOIN sites s ON s.id = c.site_id
     WHERE c.id = $1 AND c.deleted_utc IS NULL AND s.user_id = $2 FOR KEY SHARE OF c`,
    [customerId, userId, caller?.reach ?? null],
  );
  if (customer === undefined) throw new Forbidden(`Customer ${customerId} is not a customer of this account.`);
  if (caller !== undefined) await assertReach(tx, caller, customer, `Customer ${customerId}`);
}
