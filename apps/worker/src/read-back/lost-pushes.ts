import { isPushed } from '#libs/ledger';
import { type Logger, numbers, type SqlExecutor } from '#libs/platform';
import { parsePushName, type ShopReceiver } from '#libs/shops';
import { HINT_AGAIN, MAY_LACK_CHARGES, OF_OTHER_SITES } from './read-back.sql.js';
import type { UnexpectedOrder } from './shop-reading.js';

/** Whose pushes they may be. */
interface Owner {
  readonly siteId: number;
  /** `deployment.key_prefix`. */
  readonly installation: string;
}

/**
 * Orders in a shop with a push name of this installation that the ledger does not know: their rows were lost with
 * commits of the database. (Twins are looked up by who pushes.) One that nobody has paid is deleted: where its charge
 * is found, it is pushed again. One that was paid is a person's.
 */
export class LostPushes {
  constructor(
    private readonly pool: SqlExecutor,
    private readonly log: Logger,
    private readonly owner: Owner,
    private readonly receiver: Pick<ShopReceiver, 'remove'>,
    /** Before each request. */
    private readonly goOn: () => Promise<void>,
  ) {}

  async judge(orders: readonly UnexpectedOrder[]): Promise<void> {
    const lost = await this.lostOf(orders);
    if (lost.length === 0) return;
    const { siteId } = this.owner;
    // The charges of a restored database are compared first: with a found one comes its push.
    if ((await this.pool.execute(MAY_LACK_CHARGES, [siteId])).length > 0) {
      await this.pool.execute(HINT_AGAIN, [siteId, numbers(lost.map(({ shopOrderId }) => Number(shopOrderId)))]);
      return;
    }
    for (const order of lost) await this.judgeOne(order);
  }

  /** Two sites may have one shop: what a scheduled order of another site has pushed is not lost. */
  private async lostOf(orders: readonly UnexpectedOrder[]): Promise<UnexpectedOrder[]> {
    const { siteId, installation } = this.owner;
    const named = orders.flatMap((order) => {
      const name = order.kind === 'Unknown' ? parsePushName(order.pushName) : null;
      return name?.installation === installation ? [{ order, scheduledOrderId: name.scheduledOrderId }] : [];
    });
    if (named.length === 0) return [];
    const ids = numbers(named.map(({ scheduledOrderId }) => scheduledOrderId));
    const rows = await this.pool.execute<{ id: number }>(OF_OTHER_SITES, [siteId, ids]);
    const others = new Set(rows.map(({ id }) => id));
    return named.filter(({ scheduledOrderId }) => !others.has(scheduledOrderId)).map(({ order }) => order);
  }

  private async judgeOne({ pushName, shopOrderId, state }: UnexpectedOrder): Promise<void> {
    const { siteId } = this.owner;
    await this.goOn();
    // It may have been recorded since the shop was read.
    if (await isPushed(this.pool, siteId, pushName)) return;
    const isRemoved = state === 'Unpaid' && (await this.receiver.remove(shopOrderId)).kind === 'removed';
    const became = isRemoved ? 'it was deleted there.' : 'a person has to look at it.';
    this.log.warn({ siteId, pushName, shopOrderId, state }, `The shop has an order that is no Order here: ${became}`);
  }
}
