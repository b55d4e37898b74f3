import { Injectable } from '@nestjs/common';
import { judgePushableAnew } from '#libs/ledger';
import { AddressRule, Vault } from '#libs/platform';
import { type Caller, Database, Rejected } from '#libs/records';
import type { ShopDto } from '../contract/accounts/shop.dto.js';
import type { Input } from '../http/parameters/parameters.js';
import { uncallableBecause } from './callable-url.js';
import { LOCK_SHOP, READ_SHOP, readShop, shopJson, type ShopValues, writeShop } from './stored-shop.js';

/** Where a site's Orders are pushed to. A site whose shop nobody has written has the defaults. */
@Injectable()
export class ShopsService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly addresses: AddressRule,
  ) {}

  get(caller: Caller, siteId: number): Promise<string> {
    return this.database.write(async (tx) => shopJson((await readShop(tx, READ_SHOP, caller, siteId)).shop));
  }

  /** @throws Rejected where it cannot be called, and Orders are to be pushed there from now on. */
  update(caller: Caller, siteId: number, sent: Input<ShopDto>): Promise<string> {
    return this.database.write(async (tx) => {
      const site = await readShop(tx, LOCK_SHOP, caller, siteId);
      const { shop, isStored } = site;
      const changed = changedShop(shop, sent);
      const because = changed.push && !shop.push ? uncallableBecause(site, this.addresses) : null;
      if (because !== null) throw new Rejected([{ field: 'Push', message: `must not be On. ${because}` }]);
      if (isStored && shopJson(changed) === shopJson(shop)) return shopJson(shop);
      await writeShop(tx, this.vault, siteId, changed);
      await judgePushableAnew(tx, siteId, null);
      return shopJson(changed);
    });
  }
}

/** Another receiver has not been verified. */
function changedShop(shop: ShopValues, { push, stockSync, ...sent }: Input<ShopDto>): ShopValues {
  const changed: ShopValues = {
    ...shop,
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    push: push === undefined ? shop.push : push === 'On',
    stockSync: stockSync === undefined ? shop.stockSync : stockSync === 'On',
  };
  const isMoved = changed.receiver !== shop.receiver || changed.path !== shop.path;
  if (!isMoved) return changed;
  return { ...changed, state: 'Unverified', stateBecause: 'Its Receiver or Path was changed.' };
}
