import type { StripeStandIn } from '../support/gateways/index.js';
import type { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { repeatedly, waitUnlessOver } from './actor.js';
import type { Merchants } from './merchants.js';
import type { Shop } from './shops.js';
import type { Tally } from './tally.js';

const LONGEST_FIXING_MS = 60_000;

/** Breaks the shop's integration. @returns what fixes it again. */
type Trouble = () => Promise<() => Promise<boolean>>;

/**
 * Merchants who change and delete their payment integrations while charges are under way, and fix them a little later.
 */
export class Shopkeepers {
  private readonly broken = new Set<Shop>();

  constructor(
    private readonly merchants: Merchants,
    private readonly gateway: StripeStandIn,
    private readonly shops: readonly Shop[],
    /** Works for a site while nothing is lost; null when something is about to be. */
    private readonly whileNothingIsLost: (siteId: number, work: () => Promise<void>) => Promise<void> | null,
    private readonly random: Random,
    private readonly troubles: Tally,
  ) {}

  async run(everyMs: number, signal: AbortSignal): Promise<void> {
    const troubles: Promise<void>[] = [];
    await repeatedly(
      signal,
      () => this.random.between(0.5, 1.5) * everyMs,
      () => {
        const shop = this.random.pick(this.shops);
        // Another account that the restored database never heard of nobody can ask: a merchant changes it while nothing
        // is lost.
        if (this.broken.has(shop)) return;
        const trouble = this.whileNothingIsLost(shop.siteId, () => this.trouble(shop, signal));
        if (trouble) troubles.push(trouble);
      },
    );
    await Promise.all(troubles);
  }

  /**
   * All integrations are as they were at first, also those that a restore has changed, and whatever waits for them is
   * tried.
   */
  async fixAll(): Promise<void> {
    for (const shop of this.shops) {
      this.gateway.revoked.delete(shop.account);
      await until(() => this.makeAgain(shop), LONGEST_FIXING_MS);
      await until(() => this.verified(shop), LONGEST_FIXING_MS);
    }
  }

  private async trouble(shop: Shop, signal: AbortSignal): Promise<void> {
    const kind = this.random.weighted({
      'another account': 1,
      deleted: 1,
      refused: shop.type === 'GatewayOne' ? 1 : 0,
    });
    const { account } = shop;
    const ways: Record<typeof kind, Trouble> = {
      'another account': async () => {
        await this.change(shop, `${account}_other`);
        return () => this.makeAgain(shop);
      },
      deleted: async () => {
        await this.merchants.ask('DELETE', `/api/PaymentIntegration/${shop.integrationId}`, shop);
        return () => this.makeAgain(shop);
      },
      refused: async () => {
        this.gateway.revoked.add(account);
        await Promise.resolve();
        return () => {
          this.gateway.revoked.delete(account);
          return this.makeAgain(shop);
        };
      },
    };
    this.broken.add(shop);
    this.troubles.add(kind);
    const fix = await ways[kind]();
    await waitUnlessOver(this.random.between(200, 4_000), signal);
    await until(async () => signal.aborted || (await fix()), LONGEST_FIXING_MS);
    this.broken.delete(shop);
  }

  private async verified(shop: Shop): Promise<boolean> {
    const { json } = await this.merchants.ask('POST', `/api/PaymentIntegration/${shop.integrationId}/Verify`, shop);
    return (json as { Verified?: boolean } | null)?.Verified === true;
  }

  private async change(shop: Shop, account: string): Promise<boolean> {
    const body = shop.type === 'GatewayOne' ? { ApiKey1: account } : { ApiAccount: account };
    const { status } = await this.merchants.ask('PUT', `/api/PaymentIntegration/${shop.integrationId}`, shop, body);
    return status === 200;
  }

  /**
   * The answers to its deletion, and to its making, may have been lost, and so may they themselves in a restore: what
   * there is, is changed to what it should be.
   */
  private async makeAgain(shop: Shop): Promise<boolean> {
    const found = await this.merchants.ask('GET', '/api/PaymentIntegrations', shop);
    if (found.status !== 200) return false;
    const [living] = found.json as { Id: number }[];
    if (living) {
      shop.integrationId = living.Id;
      return this.change(shop, shop.account);
    }
    const { siteId, type, account, key } = shop;
    const apiKeys = type === 'GatewayOne' ? { ApiKey1: account } : { ApiAccount: account, ApiKey1: key };
    const body = { SiteId: siteId, PaymentMethodType: type, TestMode: true, ...apiKeys };
    const { status, json } = await this.merchants.ask('POST', '/api/PaymentIntegrations', shop, body);
    if (status === 201) shop.integrationId = (json as { Id: number }).Id;
    return status === 201;
  }
}
