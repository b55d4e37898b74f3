import { Inject, Injectable } from '@nestjs/common';
import { decryptShop, recordShop, type ShopAnswer, type StoredShop } from '#libs/ledger';
import {
  ConnectionPool,
  DecryptionError,
  isLost,
  isOtherDatabase,
  type Logger,
  OutboundClient,
  Vault,
} from '#libs/platform';
import { type NotDone, type Shop, ShopChanges, shopReceiver } from '#libs/shops';
import { DeploymentGuard } from '../guards/deployment-guard.js';
import { WorkGuard } from '../guards/work-guard.js';
import { DISPATCH_POOL, LOG, WORKER_ID } from '../tokens.js';
import { LostPushes } from './lost-pushes.js';
import { TAKE_UP_READS } from './read-back.sql.js';
import { ReadLost, ReadTurn } from './read-turn.js';
import { ShopReading } from './shop-reading.js';

/** How late a hint is read, at most, where there is room. */
const TICK_MS = 2_000;
const TAKE_UP_EVERY_MS = 60_000;
/** A shop that does not answer has one of these for a quarter of a minute. */
const MOST_SHOPS = 4;
const LEFT_TO_OTHERS = { isWhole: false, isMore: true };

/**
 * Reads what has become of pushed Orders in their shops, and of the shops' products (decisions.md §9): what hooks have
 * hinted at at once, all that has changed every 15 minutes, because hooks get lost. Each shop is read by one worker at
 * a time, with one request after the other.
 */
@Injectable()
export class ReadBack {
  private timer: NodeJS.Timeout | null = null;
  private readonly inFlight = new Set<Promise<void>>();
  private beginning: Promise<void> | null = null;
  private tookUpAt = -Infinity;
  /** As of then: where no shop is read, the database is asked once a minute. */
  private hasShops = false;
  private isStopped = false;

  constructor(
    @Inject(DISPATCH_POOL) private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly vault: Vault,
    private readonly outbound: OutboundClient,
    private readonly database: DeploymentGuard,
    private readonly guard: WorkGuard,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.begin(), TICK_MS);
    void this.begin();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.beginning;
    await Promise.all(this.inFlight);
  }

  /** Reads all that is to be read now, to the end (`--once`). */
  async drain(): Promise<void> {
    this.tookUpAt = -Infinity;
    do {
      if (this.inFlight.size > 0) await Promise.race(this.inFlight);
      await this.begin();
    } while (this.inFlight.size > 0);
  }

  /** Begins to read the shops that are due, as far as there is room. Overlapping calls are one. */
  begin(): Promise<void> {
    this.beginning ??= this.beginSome()
      .catch((error: unknown) => {
        this.guard.trouble(isOtherDatabase(error));
        if (!isLost(error)) this.log.warn({ err: error }, 'Shops could not be read: the worker tries again.');
      })
      .finally(() => (this.beginning = null));
    return this.beginning;
  }

  private async beginSome(): Promise<void> {
    const { pool, worker, guard } = this;
    const takesUp = performance.now() - this.tookUpAt >= TAKE_UP_EVERY_MS;
    if (this.isStopped || this.inFlight.size >= MOST_SHOPS || !(takesUp || this.hasShops)) return;
    if (!(await guard.mayWork())) return;
    if (takesUp) {
      const [found] = await pool.execute<{ hasShops: boolean }>(TAKE_UP_READS);
      this.hasShops = found!.hasShops;
      this.tookUpAt = performance.now();
    }
    while (this.hasShops && !this.isStopped && this.inFlight.size < MOST_SHOPS) {
      const turn = await ReadTurn.begin(pool, worker, guard.known);
      if (turn === null) return;
      const reading = this.take(turn).finally(() => this.inFlight.delete(reading));
      this.inFlight.add(reading);
    }
  }

  private async take(turn: ReadTurn): Promise<void> {
    const { siteId } = turn;
    try {
      const failed = await this.read(turn);
      await this.tell(turn.shop, failed);
      if (failed === null) return;
      const retryAfterMs = 'retryAfterMs' in failed ? failed.retryAfterMs : null;
      await turn.putOff(retryAfterMs, failed.message);
    } catch (error) {
      if (error instanceof ReadLost && this.isStopped) return turn.end(LEFT_TO_OTHERS).catch(() => undefined);
      if (error instanceof ReadLost || isLost(error)) return;
      this.guard.trouble(isOtherDatabase(error));
      this.log.warn({ err: error, siteId }, 'The shop could not be read: the worker tries again.');
      await turn.putOff(null, 'The shop could not be read.').catch(() => undefined);
    }
  }

  private async read(turn: ReadTurn): Promise<NotDone | null> {
    const { pool, vault, outbound, log } = this;
    let shop: Shop;
    try {
      shop = decryptShop(vault, turn.shop);
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      return { kind: 'refused', message: 'The keys of the shop cannot be decrypted: look at ENCRYPTION_KEY.' };
    }
    const goOn = () => this.goOn(turn);
    const receiver = shopReceiver(outbound, shop);
    const lost = new LostPushes(
      pool,
      log,
      { siteId: turn.siteId, installation: this.database.keyPrefix },
      receiver,
      goOn,
    );
    const changes = new ShopChanges(outbound, shop, turn.currencyIso, goOn);
    return new ShopReading(pool, turn, changes, (orders) => lost.judge(orders)).read();
  }

  /** @throws ReadLost when this worker stops, or may not work with this database any more. */
  private async goOn(turn: ReadTurn): Promise<void> {
    if (this.isStopped || !(await this.guard.mayWork())) throw new ReadLost();
    await turn.goOn();
  }

  /** What a reading has shown of the shop, which counts for its pushes, too. Too slow a list says nothing of them. */
  private async tell(shop: StoredShop, failed: NotDone | null): Promise<void> {
    const { siteId } = shop;
    const answer = answerOf(failed);
    const change = await this.pool.transaction((tx) => recordShop(tx, shop, answer));
    if (failed === null) return;
    if (change === 'refused') this.log.warn({ siteId }, `The shop refuses to be read: ${failed.message}`);
    else this.log.info({ siteId, kind: failed.kind }, `The shop could not be read: ${failed.message}`);
  }
}

function answerOf(failed: NotDone | null): ShopAnswer {
  if (failed === null) return { kind: 'answers' };
  if (failed.kind === 'shopRefused') return { kind: 'refuses', because: failed.message };
  return failed.kind === 'unavailable' ? { kind: 'fails', retryAfterMs: failed.retryAfterMs } : null;
}
