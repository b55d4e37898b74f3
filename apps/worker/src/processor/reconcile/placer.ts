import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import {
  type Difference,
  type LedgerCycle,
  lockNamedOrder,
  lockNewestCycles,
  markFound,
  recordFound,
  reportHeld,
} from '#libs/ledger';
import { ConnectionPool, isLost, isOtherDatabase, type Logger, type Transaction } from '#libs/platform';
import { frequencyRule } from '#libs/rules';
import { inTransaction } from '../../database/transaction.js';
import { LOG } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { pricedColumns } from '../prepare/freeze.js';
import { type FoundOrder, frozenOfCharge } from '../prepare/frozen-order.js';
import { type LoadedBatch, Loader } from '../prepare/loader.js';
import { FoundChargeStanding } from './found-charge-standing.js';
import { FoundCharges, UnplacedCharge } from './found-charges.js';
import { newestOf, type PlacedOrder, type Placement, placementOf } from './placement.js';

/** So few that other workers have hardly placed one of them before its turn comes. */
const BATCH = 20;
/** Each takes a connection of the worker's pool. Some must be left for other work. */
const PLACED_AT_ONCE = 4;
/** More than there are ever workers at once. */
const SEEDS = 2 ** 32;

/** Gives found charges their places in the ledger: a worker records them from there, or a person decides. */
@Injectable()
export class Placer {
  private running: Promise<number> | null = null;
  private runsAgain = false;
  private readonly limit = pLimit(PLACED_AT_ONCE);

  constructor(
    private readonly pool: ConnectionPool,
    private readonly found: FoundCharges,
    private readonly loader: Loader,
    private readonly standings: FoundChargeStanding,
    @Inject(LOG) private readonly log: Logger,
    private readonly events: WorkerEvents,
  ) {}

  /**
   * Places all charges that can be placed now. A call during a run makes the run begin again at its end. Charges that
   * must wait are placed by a later call.
   * @returns how many were placed.
   */
  run(): Promise<number> {
    this.runsAgain = true;
    this.running ??= this.placeAll().finally(() => (this.running = null));
    return this.running;
  }

  /** The same, without waiting for the end. */
  begin(): void {
    this.run().catch((error: unknown) => {
      this.log.warn(
        { err: error },
        'Charges that were found could not be written to the ledger: the worker tries again.',
      );
    });
  }

  /** Repeats until a whole pass over all orders places nothing more. */
  private async placeAll(): Promise<number> {
    let [count, placed] = [0, 0];
    do {
      this.runsAgain = false;
      placed = await this.pass();
      if (placed > 0) this.events.emit('placed');
      count += placed;
    } while (placed > 0 || this.runsAgain);
    return count;
  }

  private async pass(): Promise<number> {
    if (!(await this.found.hasUnplaced())) return 0;
    let placed = 0;
    let after: string | null = null;
    const seed = randomInt(SEEDS);
    for (;;) {
      const charges = await this.found.unplaced(BATCH, after, seed);
      if (charges.length === 0) return placed;
      // One charge of each order: they do not wait for each other.
      const done = await Promise.all(charges.map((charge) => this.limit(() => this.isPlaced(charge))));
      placed += done.filter(Boolean).length;
      after = charges.at(-1)!.place;
    }
  }

  /** A charge that cannot be placed does not delay the others. */
  private async isPlaced(charge: UnplacedCharge): Promise<boolean> {
    try {
      const standing = await this.standings.find(charge);
      if (standing === null || (await this.place(standing)).kind === 'later') return false;
      this.standings.forget(charge);
      return true;
    } catch (error) {
      if (isLost(error) || isOtherDatabase(error)) throw error;
      const { transactionId, scheduledOrderId } = charge;
      this.log.error(
        { err: error, transactionId, scheduledOrderId },
        'A charge that was found could not be written to the ledger.',
      );
      return false;
    }
  }

  private async place(charge: UnplacedCharge): Promise<Placement> {
    const frozen = await this.frozenOf(charge);
    const placement = await inTransaction(this.pool, async (tx) => {
      const order = await lockOrder(tx, charge.scheduledOrderId);
      const cycles = await lockNewestCycles(tx, charge.scheduledOrderId);
      const decided = placementOf(charge, order, cycles);
      if (decided.kind === 'later') return decided;
      return write(tx, charge, decided, { cycles, order, frozen: frozen(order) });
    });
    if (placement.kind !== 'later') this.logPlaced(charge, placement);
    return placement;
  }

  /** The Order that records the charge: the order as it would be priced now, if that is the amount that was charged. */
  private async frozenOf(charge: UnplacedCharge): Promise<(order: PlacedOrder) => FoundOrder> {
    const { scheduledOrderId, siteId, amount, currencyIso } = charge;
    const loaded = await this.loader.load([scheduledOrderId], [siteId]);
    const order = loaded.orders.get(scheduledOrderId)!;
    let rated: LoadedBatch | null = null;
    for await (const { batch } of this.loader.rated([charge], loaded)) rated = batch;
    return (standing) =>
      frozenOfCharge(order, rated, { siteId, amount, currencyIso: currencyIso ?? standing.currencyIso });
  }

  private logPlaced({ transactionId, scheduledOrderId, isGivenBack }: UnplacedCharge, placement: Placement): void {
    const ids = { transactionId, scheduledOrderId };
    if (placement.kind === 'known') return;
    if ('differs' in placement && placement.differs !== null)
      this.log.error(
        { ...ids, kind: placement.differs },
        `A charge is not in the ledger, and ${isGivenBack ? 'it was given back' : 'nobody can tell which occurrence it paid'}: its order is held (1009 PaymentDiffers). Run cycles:stuck.`,
      );
    else this.log.warn(ids, 'A charge was not in the ledger: it is recorded now.');
  }
}

async function lockOrder(tx: Transaction, id: number): Promise<PlacedOrder> {
  const { frequencyType, frequency, scheduleAnchorUtc: anchor, archivedCycle, ...order } = await lockNamedOrder(tx, id);
  return { rule: frequencyRule({ frequencyType, frequency }), anchor, archivedCycle: archivedCycle ?? 0, ...order };
}

/** For `cycles:stuck` and the shop's error log. */
function reasonOf({ transactionId, isGivenBack }: UnplacedCharge, differs: Difference['kind'] | null): string {
  if (differs === null) return `The charge ${transactionId} was found at the gateway.`;
  const what = isGivenBack
    ? 'It was given back there: the shop says whether the order is to be charged again.'
    : 'The service cannot tell which occurrence it paid.';
  return `The gateway has the charge ${transactionId}, which the ledger lacks. ${what}`;
}

/** @returns its place: `known` when another worker has placed it in the meantime, or somebody has settled it. */
async function write(
  tx: Transaction,
  charge: UnplacedCharge,
  placement: Exclude<Placement, { kind: 'later' }>,
  { cycles, order, frozen }: { cycles: readonly LedgerCycle[]; order: PlacedOrder; frozen: FoundOrder },
): Promise<Placement> {
  const { paymentIntegrationId, transactionId, siteId, scheduledOrderId } = charge;
  const state = placement.kind === 'known' ? 'Known' : 'Placed';
  const isPlaced = await markFound(tx, charge, state);
  if (!isPlaced || placement.kind === 'known') return { kind: 'known' };
  const { differs } = placement;
  const cycle =
    placement.kind === 'open' ? placement.cycle : placement.kind === 'new' ? newestOf(cycles, order) + 1 : null;
  if (differs !== null) await reportHeld(tx, differenceOf(charge, differs, cycle));
  if (placement.kind === 'beside') return placement;
  await recordFound(tx, placement.kind, {
    site_id: siteId,
    id: scheduledOrderId,
    cycle,
    attempt: charge.attempt,
    amount: charge.amount,
    currency_iso: charge.currencyIso ?? order.currencyIso,
    type: charge.paymentMethodType,
    payment_integration_id: paymentIntegrationId,
    charged_utc: charge.chargedUtc,
    resolution: differs !== null ? 'NeedsReview' : charge.isCharged ? 'Found' : null,
    transaction_id: differs !== null ? null : transactionId,
    reason: reasonOf(charge, differs),
    due_utc: placement.dueUtc,
    replaced_utc: placement.replacedUtc,
    ...pricedColumns(frozen),
  });
  return placement;
}

/** `cycle`: the one that is held for the charge; null: none is. */
function differenceOf(charge: UnplacedCharge, kind: Difference['kind'], cycle: number | null): Difference {
  const { siteId, paymentIntegrationId, paymentMethodType, transactionId, scheduledOrderId } = charge;
  const { amount, currencyIso, dueUtc, chargedUtc } = charge;
  return {
    siteId,
    kind,
    paymentIntegrationId,
    paymentMethodType,
    transactionId,
    scheduledOrderId,
    cycle,
    orderId: null,
    ours: null,
    theirs: {
      TransactionId: transactionId,
      OccurrenceUtc: dueUtc?.toISOString() ?? null,
      Amount: amount,
      CurrencyIso: currencyIso,
      ChargedUtc: chargedUtc.toISOString(),
    },
  };
}
