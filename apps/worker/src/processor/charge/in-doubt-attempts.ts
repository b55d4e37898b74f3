import { Inject, Injectable } from '@nestjs/common';
import { type Charge, credentialsFingerprint } from '#libs/gateways';
import { type CycleResolution, type InDoubtRow, loadInDoubt } from '#libs/ledger';
import { ConnectionPool, DecryptionError, type Logger } from '#libs/platform';
import { unlessLost } from '../../database/unless-lost.js';
import { integrationKey, Integrations, type LoadedIntegration } from '../../gateways/integrations.js';
import { logUnreadable, unreadableFailure } from '../../gateways/unreadable-credentials.js';
import { LOG, WORKER_ID } from '../../tokens.js';
import type { Integration } from '../cycle/cycle.js';
import { type LeasedCycle, leasedRow } from '../cycle/cycle.js';
import type { Outcome, Result } from '../cycle/outcome.js';
import { isBeyondMemory } from '../prepare/gateway-memory.js';
import { installationIn } from '../prepare/idempotency-key.js';

/** An attempt that may have been sent, as it was frozen, and how it can be looked up. */
export interface InDoubtAttempt {
  readonly cycle: LeasedCycle;
  /** Null when nothing was to be paid. */
  readonly charge: Charge | null;
  readonly ageMs: number;
  readonly agoMs: number;
  readonly transactionId: string | null;
  /** What a person, or a comparison with the gateway's list, has found. `NeedsReview`: a person decides. */
  readonly resolution: CycleResolution | null;
  readonly failureMessage: string | null;
  /** Of the transaction, where the gateway's list has it with another amount than the cycle has; in minor units. */
  readonly foundAmount: number | null;
  /** When it was charged, by the gateway's clock; null where no list has named it. */
  readonly foundUtc: Date | null;
  /** It is a charge that was found in the gateway's list: nothing was frozen for it. */
  readonly isFound: boolean;
  /** The cycle itself was made for such a charge. Its order stays as it is until the charge is resolved. */
  readonly isMadeForFound: boolean;
  /** The first attempt of a cycle that was overdue by more than the gateway's memory of requests. */
  readonly isOverdue: boolean;
  /** No charge of this cycle can be older. */
  readonly settledUntilUtc: Date;
  /**
   * The integration for the look-up: the one that it was sent with. Null: no look-up is needed, or the shop has none of
   * this type.
   */
  readonly integration: Integration | null;
  /**
   * The shop's present one, where `integration` is deleted: its account may be the same. It is asked if the deleted
   * one's credentials are refused.
   */
  readonly present: Integration | null;
  /** Whether it is the same integration, with the same credentials, that it was sent with. */
  readonly mayRepeat: boolean;
  /** The least time since the last sending began; null while another sending is possible. */
  readonly quietMs: number | null;
  readonly isKnownToGateway: boolean;
  /** Since the gateway first repeated a stored answer; null: it has not. */
  readonly replayedMs: number | null;
}

/** Loaded attempts; `results`: the outcomes of those that cannot be looked up now. */
export interface LoadedAttempts {
  readonly attempts: readonly InDoubtAttempt[];
  readonly results: readonly Result[];
}

/** Loads attempts that may have been sent before. */
@Injectable()
export class InDoubtAttempts {
  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly integrations: Integrations,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Leaves out cycles that another worker owns by now. When one cannot be loaded, the batch is halved until that one is
   * alone.
   */
  async load(cycles: readonly LeasedCycle[]): Promise<LoadedAttempts> {
    try {
      return await unlessLost(() => this.read(cycles));
    } catch (thrown) {
      const [cycle] = cycles;
      if (cycles.length === 1 && cycle) {
        const { scheduledOrderId } = cycle;
        this.log.error({ err: thrown, scheduledOrderId }, 'What was sent for an order could not be read.');
        return { attempts: [], results: [{ cycle, outcome: { kind: 'unrecorded', transactionId: null, thrown } }] };
      }
      const middle = cycles.length >> 1;
      const [one, other] = [await this.load(cycles.slice(0, middle)), await this.load(cycles.slice(middle))];
      return { attempts: [...one.attempts, ...other.attempts], results: [...one.results, ...other.results] };
    }
  }

  private async read(cycles: readonly LeasedCycle[]): Promise<LoadedAttempts> {
    const startedAt = performance.now();
    const leased = cycles.map((cycle) => leasedRow(cycle, this.worker));
    const rows = await loadInDoubt(this.pool, leased);
    const byId = new Map(cycles.map((cycle) => [cycle.scheduledOrderId, cycle]));
    for (const row of rows) byId.get(row.scheduledOrderId)!.lastReadAt = startedAt;
    const [living, pinned] = await Promise.all([
      this.integrations.ofSites([...new Set(cycles.map(({ siteId }) => siteId))]),
      this.integrations.pinned(rows.flatMap((row) => row.paymentIntegrationId ?? [])),
    ]);
    const isOpen = (row: InDoubtRow) => row.resolution === null && row.hasUnplaced;
    const waiting = rows.filter(isOpen).map((row) => byId.get(row.scheduledOrderId)!);
    const loaded = rows
      .filter((row) => !isOpen(row))
      .map((row) => {
        const cycle = byId.get(row.scheduledOrderId)!;
        const current = living.get(integrationKey(cycle.siteId, row.paymentMethodType)) ?? null;
        const sentWith = row.paymentIntegrationId === null ? null : (pinned.get(row.paymentIntegrationId) ?? null);
        return this.attempt(row, cycle, current, sentWith);
      });
    logUnreadable(
      this.log,
      loaded.flatMap((one) => (one instanceof Unreadable ? one.error : [])),
    );
    return {
      attempts: loaded.filter((one) => !(one instanceof Unreadable)),
      results: [
        ...loaded.flatMap((one) => (one instanceof Unreadable ? one.result : [])),
        ...waiting.map((cycle) => ({ cycle, outcome: NOT_PLACED })),
      ],
    };
  }

  private attempt(
    row: InDoubtRow,
    cycle: LeasedCycle,
    current: LoadedIntegration | null,
    sentWith: LoadedIntegration | null,
  ): InDoubtAttempt | Unreadable {
    cycle.isStopped ||= row.stopped;
    cycle.heldBy = row.heldBy;
    const charge = row.amount === 0 ? null : chargeOf(row, cycle);
    const [integration, present] =
      charge === null || row.resolution !== null ? [null, null] : integrationsFor(row, current, sentWith);
    if (integration instanceof DecryptionError) return new Unreadable(cycle, integration);
    return {
      cycle,
      charge,
      ageMs: row.ageMs,
      agoMs: row.ageMs + (charge ? row.startedUtc.getTime() - charge.startedUtc.getTime() : 0),
      transactionId: row.gatewayTransactionId,
      resolution: row.resolution,
      failureMessage: row.failureMessage,
      foundAmount: row.foundAmount === null || row.foundAmount === row.amount ? null : row.foundAmount,
      foundUtc: row.foundUtc,
      isFound: row.idempotencyKey === null,
      isMadeForFound: row.madeForFound,
      isOverdue:
        cycle.attempt === 1 && integration !== null && isBeyondMemory(integration.credentials, cycle, row.startedUtc),
      settledUntilUtc: row.settledUntilUtc,
      integration,
      present,
      quietMs: row.quietMs,
      isKnownToGateway: row.knownToGateway,
      replayedMs: row.replayedMs,
      mayRepeat:
        integration !== null &&
        integration === current &&
        integration.id === row.paymentIntegrationId &&
        credentialsFingerprint(integration.credentials) === row.credentialsFingerprint,
    };
  }
}

/**
 * Which integration is asked about an attempt, and which one if that refuses. `current`: the shop's of this type;
 * `sentWith`: the one that it was sent with, as it is now.
 */
function integrationsFor(
  row: InDoubtRow,
  current: LoadedIntegration | null,
  sentWith: LoadedIntegration | null,
): [LoadedIntegration | null, Integration | null] {
  const present = current instanceof DecryptionError ? null : current;
  const isOfType =
    sentWith !== null && !(sentWith instanceof DecryptionError) && sentWith.credentials.type === row.paymentMethodType;
  if (!isOfType || sentWith.id === present?.id)
    return [current ?? (sentWith instanceof DecryptionError ? sentWith : null), null];
  return [sentWith, present];
}

/** A charge of its order was found and has no cycle yet: it may be this one. */
const NOT_PLACED: Outcome = {
  kind: 'inDoubt',
  answer: {
    kind: 'postponed',
    message: 'A charge of this order has no place in the ledger yet.',
    retryAfterMs: 1_000,
  },
  mayRepeat: false,
};

/** An attempt whose integration has credentials that this worker cannot decrypt. */
class Unreadable {
  constructor(
    private readonly cycle: LeasedCycle,
    readonly error: DecryptionError,
  ) {}

  get result(): Result {
    const { message } = unreadableFailure();
    const answer = { kind: 'refused', message, detail: this.error.message } as const;
    return { cycle: this.cycle, outcome: { kind: 'inDoubt', answer, mayRepeat: false } };
  }
}

function chargeOf(row: InDoubtRow, cycle: LeasedCycle): Charge {
  return {
    idempotencyKey: row.idempotencyKey ?? '',
    siteId: cycle.siteId,
    scheduledOrderId: cycle.scheduledOrderId,
    attempt: cycle.attempt,
    dueUtc: cycle.dueUtc,
    installation: installationIn(row.idempotencyKey ?? ''),
    amount: row.amount,
    currencyIso: row.currencyIso,
    gatewayCustomerId: row.gatewayCustomerId ?? '',
    gatewayPaymentId: row.gatewayPaymentId ?? '',
    startedUtc: row.startedUtc,
  };
}
