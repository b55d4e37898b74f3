import { Inject, Injectable } from '@nestjs/common';
import { type OutwardType, typesMatching } from '#libs/events';
import {
  decryptShop,
  deploymentRefusal,
  recordAsked,
  recordSellable,
  recordVerified,
  type StoredShop,
  storedShopSql,
} from '#libs/ledger';
import { AddressRule, OutboundClient, type Settings, Statement, type Transaction, Vault } from '#libs/platform';
import { Answer, type Caller, Conflict, Database, type Idempotency } from '#libs/records';
import { type Finding, type Probe, shopReceiver, type Verification } from '#libs/shops';
import { CallLimits } from '../http/load/call-limits.js';
import { SETTINGS } from '../http/tokens.js';
import { uncallableBecause } from './callable-url.js';
import { probeOf } from './probe.js';
import { repairedHooks } from './repaired-hooks.js';
import { LOCK_SHOP, readShop, writeShop } from './stored-shop.js';

/** From these a shop's back end would make orders itself. */
const MAKING_ORDERS: readonly OutwardType[] = ['scheduled_order.processed', 'order.created'];

/** pk_sites, pk_site_shops. $1 site. */
const STORED = Statement.named(
  `SELECT ${storedShopSql('s', 'x')} FROM sites s JOIN site_shops x ON x.site_id = s.id WHERE s.id = $1`,
);

/** ix_webhook_endpoints_site. $1 site. */
const ENDPOINTS = Statement.named(
  `SELECT e.url, e.event_types FROM webhook_endpoints e WHERE e.site_id = $1 AND e.deleted_utc IS NULL AND e.status = 'Enabled' ORDER BY e.id`,
);

interface Endpoint {
  readonly url: string;
  readonly eventTypes: readonly string[];
}

/** Tries a site's shop while the caller waits, and lets its pushes go where it takes them. */
@Injectable()
export class ShopVerificationService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly client: OutboundClient,
    private readonly addresses: AddressRule,
    private readonly limits: CallLimits,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws NotFound, Forbidden. Conflict where the shop cannot be called, from a database that is a copy, and where
   * the shop was changed meanwhile. TooManyRequests.
   */
  async verify(caller: Caller, siteId: number, once: Idempotency): Promise<Answer> {
    const { stored, probe, endpoints } = await this.database.write((tx) => this.read(tx, caller, siteId));
    // The shop is called with no transaction open.
    const earlier = await this.database.kept(once);
    if (earlier !== null) return earlier;
    const refusal = await deploymentRefusal(this.database, this.settings.deploymentId);
    if (refusal !== null) throw new Conflict(`No shop is called. ${refusal}`);
    await this.database.write((tx) => this.limits.take(tx, [limitOf(caller)]));
    const shop = decryptShop(this.vault, stored);
    const verification = await shopReceiver(this.client, shop).verify(probe);
    const { publicUrl } = this.settings;
    const hooks = await repairedHooks(this.client, shop, verification, { siteId, publicUrl });
    return this.database.once(once, async (tx) => ({
      id: siteId,
      json: await record(tx, stored, verification, [twinsBy(endpoints), hooks]),
    }));
  }

  /** What is tried, and of what. The first Verify of a site writes its shop. */
  private async read(tx: Transaction, caller: Caller, siteId: number) {
    const site = await readShop(tx, LOCK_SHOP, caller, siteId);
    const because = uncallableBecause(site, this.addresses);
    if (because !== null) throw new Conflict(because);
    if (!site.isStored) await writeShop(tx, this.vault, siteId, site.shop);
    const [stored] = await tx.execute<StoredShop>(STORED, [siteId]);
    const probe: Probe = await probeOf(tx, siteId);
    return { stored: stored!, probe, endpoints: await tx.execute<Endpoint>(ENDPOINTS, [siteId]) };
  }
}

const limitOf = ({ userId }: Caller) => ({
  subject: `shop-verify:account:${userId}`,
  most: 20,
  seconds: 60,
  label: 'Verify of shops',
});

/** A back end that makes orders of our events would have each twice. */
function twinsBy(endpoints: readonly Endpoint[]): Finding[] {
  const making = endpoints.filter(
    ({ eventTypes }) =>
      eventTypes.length === 0 || eventTypes.flatMap(typesMatching).some((type) => MAKING_ORDERS.includes(type)),
  );
  if (making.length === 0) return [];
  const urls = making.map(({ url }) => new URL(url).host).join(', ');
  const message = `Events that orders can be made of go to ${urls}. If it makes orders, end that before Push is On: the shop would have each twice.`;
  return [{ check: 'Twins', agrees: false, message }];
}

async function record(
  tx: Transaction,
  stored: StoredShop,
  { state, authMode, findings, products = [] }: Verification,
  [twins, hooks]: readonly [twins: readonly Finding[], hooks: readonly Finding[]],
): Promise<string> {
  const because = state === 'Ready' ? null : (findings.find(({ agrees }) => !agrees)?.message ?? null);
  if (!(await recordVerified(tx, stored, { state, because, authMode })))
    throw new Conflict(`Site ${stored.siteId} or its Shop was changed while the shop was called: verify it again.`);
  const externalIds = products.map(({ productExternalId }) => productExternalId);
  await recordAsked(tx, stored.siteId, externalIds);
  await recordSellable(tx, stored.siteId, products);
  const all = [...twins, ...findings, ...hooks];
  return JSON.stringify({
    State: state,
    StateBecause: because,
    AuthMode: authMode ?? stored.authMode,
    Findings: all.map(({ check, agrees, message }) => ({ Check: check, Agrees: agrees, Message: message })),
  });
}
