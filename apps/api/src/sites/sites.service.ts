import { Inject, Injectable } from '@nestjs/common';
import type { Site } from '#libs/entities';
import { DecryptionError, prepared, type Settings, Statement, type Transaction, Vault } from '#libs/platform';
import {
  type Answer,
  assertReach,
  type Caller,
  Conflict,
  type CredentialViews,
  Database,
  decryptCredentials,
  eachSite,
  encryptCredentials,
  type Idempotency,
  insertRow,
  isOfList,
  isReached,
  type Keys,
  Listing,
  NEXT_UPDATED_UTC,
  NotFound,
  SITE_CREDENTIALS,
  siteView,
  takeId,
  updateRow,
  type Values,
  viewsFor,
} from '#libs/records';
import { SETTINGS } from '../http/tokens.js';

/** One at a time, so that no two make the last one. pk_users. $1 account. */
const LOCK_ACCOUNT = `SELECT 1 FROM users u WHERE u.id = $1 FOR NO KEY UPDATE`;

/** A statement of its own: it sees what was made before the lock. ix_sites_user. $1 account. */
const COUNT = `SELECT count(*)::int AS sites FROM sites s WHERE s.user_id = $1 AND NOT s.simulated`;

/** What leads to a site's shop, locked. pk_sites. $1 site. */
const LOCK_REACHING = Statement.named(
  `SELECT s.id, s.url, s.api_key1, s.api_key2, NULL AS api_key3 FROM sites s WHERE s.id = $1 FOR NO KEY UPDATE`,
);
type Reaching = Pick<Site, 'id' | 'url' | 'apiKey1' | 'apiKey2' | 'apiKey3'>;

/** pk_site_shops. $1 site, $2 whether it is another shop. */
const UNVERIFY_SHOP = Statement.named(
  `UPDATE site_shops x SET state = 'Unverified', state_because = 'The Url or the keys of the site were changed.',
    moved_utc = CASE WHEN $2::boolean THEN now() ELSE x.moved_utc END, updated_utc = ${NEXT_UPDATED_UTC}
    WHERE x.site_id = $1`,
);

/**
 * The shops of an account, or those of an API key. They are not cached: a new site counts from the caller's next
 * request on (decisions.md §3).
 */
@Injectable()
export class SitesService {
  private readonly views: CredentialViews;

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'maxSitesPerAccount'>,
  ) {
    this.views = viewsFor(vault, SITE_CREDENTIALS, siteView);
  }

  list(caller: Caller): Listing {
    return new Listing(this.database, this.views.viewFor(caller), keysOfCaller(caller), 'Site.caller');
  }

  async get(caller: Caller, id: number): Promise<string> {
    return this.views.viewFor(caller).decrypt(await this.read(caller, id));
  }

  /** @throws Conflict when the account has too many. */
  create(caller: Caller, sent: Values<Site>, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      await this.assertRoom(tx, caller);
      const id = await takeId(tx, SITE_CREDENTIALS);
      const encrypted = encryptCredentials(this.vault, SITE_CREDENTIALS, id, sent);
      const values = { ...encrypted, id, userId: caller.userId };
      const { json } = await insertRow<{ json: string }>(
        tx,
        'sites',
        values,
        `${this.views.whole.json('x')}::text AS json`,
      );
      return { id, json: this.views.viewFor(caller).decrypt(json) };
    });
  }

  async update(caller: Caller, id: number, sent: Values<Site>): Promise<string> {
    // A site is never deleted and never changes its account, so a check before the transaction is also true inside it.
    await this.read(caller, id);
    const returning = `${this.views.whole.json('x')}::text AS json`;
    const values = encryptCredentials(this.vault, SITE_CREDENTIALS, id, sent);
    const site = await this.database.write(async (tx) => {
      await this.unverifyShop(tx, id, sent);
      return updateRow<{ json: string }>(tx, 'sites', id, values, returning);
    });
    return this.views.viewFor(caller).decrypt(site.json);
  }

  /** Where its shop is reached otherwise than before: at another address, or with other keys. */
  private async unverifyShop(tx: Transaction, id: number, sent: Values<Site>): Promise<void> {
    const reaching = (['url', 'apiKey1', 'apiKey2'] as const).filter((field) => sent[field] !== undefined);
    if (reaching.length === 0) return;
    const [stored] = await tx.execute<Reaching>(LOCK_REACHING, [id]);
    const before = this.decrypted(stored!);
    if (before !== null && reaching.every((field) => sent[field] === before[field])) return;
    const isMoved = sent.url !== undefined && sent.url !== stored!.url;
    await tx.execute(UNVERIFY_SHOP, [id, isMoved]);
  }

  /** Null: nothing decrypts them any more. */
  private decrypted(stored: Reaching): Reaching | null {
    try {
      return decryptCredentials(this.vault, SITE_CREDENTIALS, stored);
    } catch (error) {
      if (error instanceof DecryptionError) return null;
      throw error;
    }
  }

  private async assertRoom(tx: Transaction, { userId }: Caller): Promise<void> {
    const { maxSitesPerAccount } = this.settings;
    await tx.execute(LOCK_ACCOUNT, [userId]);
    const [row] = await tx.execute<{ sites: number }>(COUNT, [userId]);
    if (row!.sites < maxSitesPerAccount) return;
    throw new Conflict(
      `The account has ${row!.sites} sites; at most ${maxSitesPerAccount} may be created (MAX_SITES_PER_ACCOUNT): use one that it has, or have the setting raised.`,
    );
  }

  /** Its API keys still encrypted: a PUT may replace keys that nothing decrypts any more. */
  private async read(caller: Caller, id: number): Promise<string> {
    const text = () =>
      `SELECT ${this.views.whole.json('x')}::text AS json, ${isReached('x.id', '$2::bigint[]')} AS reached FROM sites x WHERE x.id = $1`;
    const [site] = await this.database.read<Stored>(prepared('Site.get', text), [id, caller.reach]);
    if (site === undefined) throw new NotFound(`There is no Site ${id}.`);
    await assertReach(this.database, caller, site, `Site ${id}`);
    return site.json;
  }
}

/** The caller's sites, in order of id, without those that have a test clock. */
const keysOfCaller = ({ reach }: Caller): Keys => ({
  owner: reach,
  sql: `SELECT site.id FROM ${eachSite('$1::bigint[]')} WHERE site.id > $2 AND site.id <= $3 ORDER BY site.id LIMIT $4`,
  holds: (alias, owner) => isOfList(`${alias}.id`, `${owner}::bigint[]`),
});

interface Stored {
  readonly json: string;
  readonly reached: boolean;
}
