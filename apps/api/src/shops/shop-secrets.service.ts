import { Injectable } from '@nestjs/common';
import { Statement, Vault } from '#libs/platform';
import { type Answer, type Caller, Database, type Idempotency, NotFound } from '#libs/records';
import { rotateSecret, secretsJson, SHOPS, STORED_SECRETS, type StoredSecrets } from '../webhooks/signing-secrets.js';
import { LOCK_SHOP, READ_SHOP, readShop, writeShop } from './stored-shop.js';

/** pk_site_shops. $1 site. */
const SECRETS = Statement.named(`SELECT x.site_id AS id, ${STORED_SECRETS} FROM site_shops x WHERE x.site_id = $1`);

/** What requests to an Http receiver are signed with. */
@Injectable()
export class ShopSecretsService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** @throws NotFound before the shop was written. */
  get(caller: Caller, siteId: number): Promise<string> {
    return this.database.write(async (tx) => {
      await readShop(tx, READ_SHOP, caller, siteId);
      const [stored] = await tx.execute<StoredSecrets>(SECRETS, [siteId]);
      if (stored === undefined)
        throw new NotFound(`The shop of Site ${siteId} has no secret yet: PUT /api/Site/${siteId}/Shop makes one.`);
      return secretsJson(this.vault, SHOPS, caller, stored);
    });
  }

  /** @throws Conflict while the overlap of an earlier rotation lasts. */
  rotate(caller: Caller, siteId: number, overlapSeconds: number | undefined, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      const { isStored, shop } = await readShop(tx, LOCK_SHOP, caller, siteId);
      if (!isStored) await writeShop(tx, this.vault, siteId, shop);
      return { id: siteId, json: await rotateSecret(tx, this.vault, SHOPS, siteId, overlapSeconds) };
    });
  }
}
