import { Inject, Injectable } from '@nestjs/common';
import {
  beginRemoving,
  beginSending,
  type ClaimedPush,
  decryptShop,
  PUSH_LEASE_MS,
  type PushedOrder,
  type PushResult,
  recordPush,
  recordSellable,
  recordTwinRemoved,
} from '#libs/ledger';
import { ConnectionPool, DecryptionError, type Logger, OutboundClient, type Settings, Vault } from '#libs/platform';
import { type Judgement, type NotDone, type Shop, type ShopOrder, type ShopReceiver, shopReceiver } from '#libs/shops';
import { unlessLost } from '../database/unless-lost.js';
import { reach } from '../failpoints.js';
import { WorkGuard } from '../guards/work-guard.js';
import { DISPATCH_POOL, LOG, SETTINGS } from '../tokens.js';
import { LeasedOutbound } from './leased-outbound.js';
import { PushMetrics } from './push-metrics.js';
import {
  afterLookUp,
  afterNotDone,
  afterSettlement,
  besideTwin,
  isOfClocks,
  isOfOwnClock,
  judge,
  mayBeThere,
  type Next,
  notSent,
  type Step,
} from './result.js';

const WITHOUT_SECRET_MS = 15 * 60_000;

/** One push and the shop that it goes to. */
interface Try extends PushedOrder {
  readonly receiver: ShopReceiver;
  readonly outbound: LeasedOutbound;
  /** This machine's clock less the database's. */
  readonly aheadMs: number;
}

/** Brings one Order into its shop, step by step. What a step has shown is written before the next one is begun. */
@Injectable()
export class Pusher {
  constructor(
    @Inject(DISPATCH_POOL) private readonly pool: ConnectionPool,
    private readonly client: OutboundClient,
    private readonly vault: Vault,
    private readonly guard: WorkGuard,
    private readonly metrics: PushMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** `claimedAt`: when the claim was sent, by this machine's monotonic clock. */
  async push(order: PushedOrder, claimedAt: number): Promise<void> {
    const { row } = order;
    const shop = this.shopOf(row);
    if (shop === null) return this.record(row, notSent(row, UNREADABLE, WITHOUT_SECRET_MS));
    const outbound = new LeasedOutbound(this.client, PUSH_LEASE_MS);
    outbound.renewed(claimedAt);
    const aheadMs = Date.now() - (performance.now() - claimedAt) - row.nowUtc.getTime();
    const result = await this.attempt({ ...order, receiver: shopReceiver(outbound, shop), outbound, aheadMs });
    if (result !== null) await this.record(row, result);
  }

  /** @returns null when another worker has the push by now. */
  private async attempt(one: Try): Promise<PushResult | null> {
    const { row, push, receiver } = one;
    if (!mayBeThere(row)) return this.create(one);
    const found = await receiver.lookUp(push);
    if (found.kind !== 'found') return this.notDone(one, 'lookUp', found);
    const judged = judge(row, found.orders);
    const kept = await this.removeTwins(one, found.orders, judged);
    const isForbidden = kept?.kind === 'refused' || kept?.kind === 'shopRefused';
    if (kept !== null && !isForbidden) return this.notDone(one, 'lookUp', kept);
    const gone = kept === null ? judged : { ...judged, remove: [] };
    const result = await this.next(one, afterLookUp(row, found.orders, gone, this.settings));
    return kept === null ? result : besideTwin(row, result, kept.message, judged);
  }

  private async next(one: Try, next: Next): Promise<PushResult | null> {
    if (next.step === 'record') return next.result;
    return next.step === 'create' ? this.create(one) : this.settle(one, next.order);
  }

  private async create(one: Try): Promise<PushResult | null> {
    const { row, push, isDeleted, receiver } = one;
    if (isDeleted) return notSent(row, DELETED, null);
    if (!(await this.begin(one, null))) return null;
    const created = await receiver.create(push, row);
    reach('after-push-create');
    if (created.kind !== 'created') return this.notDone(one, 'create', created);
    const result = await this.settle(one, created.order);
    // A person has corrected what was not sold.
    return row.looksUpFirst && result !== null ? { ...result, products: created.products ?? [] } : result;
  }

  private async settle(one: Try, order: ShopOrder): Promise<PushResult | null> {
    const { row, push, receiver } = one;
    if (order.state === 'Unpaid' && !(await this.begin(one, order))) return null;
    const settled = await receiver.settle(push, order, row);
    reach('after-push-settle');
    if (settled.kind !== 'settled' && settled.kind !== 'removed') return this.notDone(one, 'settle', settled, order);
    return afterSettlement(row, push, settled, this.settings);
  }

  /**
   * Those that are gone since an earlier try began to delete them are told of first. What a refusal has left behind is
   * no twin. @returns why one of them is still there; null: all are gone, or another worker has the push by now.
   */
  private async removeTwins(
    { row, receiver }: Try,
    orders: readonly ShopOrder[],
    { remove }: Judgement,
  ): Promise<NotDone | null> {
    const tell = (id: string) => unlessLost(() => recordTwinRemoved(this.pool, row, id));
    for (const id of row.removingTwins) if (orders.every((order) => order.id !== id)) await tell(id);
    const twins = remove.filter(({ state }) => state !== 'Draft').map(({ id }) => id);
    if (remove.length + row.removingTwins.length === 0) return null;
    if (!(await beginRemoving(this.pool, this.guard.known, row, twins))) return null;
    for (const { id } of remove) {
      const removed = await receiver.remove(id);
      if (removed.kind !== 'removed') return removed;
      if (twins.includes(id)) await tell(id);
    }
    return null;
  }

  private async begin({ row, outbound }: Try, order: ShopOrder | null): Promise<boolean> {
    const sentAt = performance.now();
    const mayGo = await beginSending(this.pool, this.guard.known, row, order);
    if (mayGo) outbound.renewed(sentAt);
    return mayGo;
  }

  private notDone({ row, aheadMs }: Try, step: Step, outcome: NotDone, order: ShopOrder | null = null): PushResult {
    const { scheduledOrderId, cycle, siteId } = row;
    const isNews = isOfClocks(outcome) && row.message !== outcome.message;
    this.log[isNews ? 'warn' : 'debug'](
      { scheduledOrderId, cycle, siteId, step, outcome },
      'A step of a push was not done.',
    );
    const result = afterNotDone(row, step, outcome, order, this.settings);
    return isOfOwnClock(outcome, aheadMs) ? { ...result, shop: null } : result;
  }

  /** What it is to bring cannot be read: its merchant learns that it waits for this. */
  async unread(row: ClaimedPush): Promise<void> {
    await this.record(row, notSent(row, UNREAD, PUSH_LEASE_MS));
  }

  /** Null when its credentials cannot be decrypted. */
  private shopOf(row: ClaimedPush): Shop | null {
    try {
      return decryptShop(this.vault, row);
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      this.log.error({ siteId: row.siteId }, error.message);
      return null;
    }
  }

  private async record(row: ClaimedPush, result: PushResult): Promise<void> {
    const recorded = await unlessLost(() => recordPush(this.pool, row, result));
    if (recorded === null) return;
    const { siteId, scheduledOrderId, cycle } = row;
    const { state, message, shop } = recorded;
    this.metrics.recorded(row.state, state);
    if (state !== row.state && (state === 'Differs' || state === 'Failed'))
      this.log.warn(
        { siteId, scheduledOrderId, cycle, state },
        `An Order does not stand in its shop as it was charged. ${message ?? ''}`,
      );
    if (shop !== null) this.log[shop === 'closed' ? 'info' : 'warn']({ siteId }, SHOPS[shop]);
    if (result.products.length > 0)
      await unlessLost(() => this.pool.transaction((tx) => recordSellable(tx, siteId, result.products)));
  }
}

const UNREADABLE = 'The credentials of the shop cannot be decrypted: nothing was sent.';
const UNREAD = 'What was charged cannot be read: nothing was sent. The log of the service’s workers says why.';
const DELETED = 'The Order was deleted before it was pushed.';

const SHOPS = {
  opened: 'A shop fails again and again: one push probes it, others wait.',
  closed: 'The shop works again.',
  refused: 'A shop refuses pushes: all of its pushes wait until it is verified.',
  unreachable: 'A shop has not answered for 5 days: all of its pushes wait until it is verified.',
} as const;
