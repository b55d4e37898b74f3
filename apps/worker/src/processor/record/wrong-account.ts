import type { MissingCard } from '#libs/entities';
import type { PaymentMethodType } from '#libs/gateways';
import {
  endStreaks,
  INTEGRATION_RETRY_MS,
  keepStreak,
  lastPaidUtc,
  laterUtc,
  type LockedOrder,
  lockStreak,
  LONGEST_WAIT_MS,
  readMissing,
  type RetrySchedules,
  takeBack,
  takeForWrongAccount,
} from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { describeFailure, failure } from '#libs/rules';
import { integrationKey } from '../../gateways/integrations.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { Outcome, Result } from '../cycle/outcome.js';
import type { FailedAttempt } from '../cycle/recorded.js';
import { decide, type FailedOutcome } from './decide.js';
import { continued, isLong, since } from './streak.js';

export const WRONG_ACCOUNT =
  'The payment gateway knows none of the customers: the credentials seem to be those of another account.';

/** Which cycles wait because the credentials seem to be another account's: found with this cycle, or known before. */
export type WrongAccounts = ReadonlyMap<LeasedCycle, 'found' | 'known'>;

/** What the results of a batch show about one integration. */
interface Answers {
  readonly siteId: number;
  readonly type: PaymentMethodType;
  readonly missing: LeasedCycle[];
  hasOther: boolean;
}

/**
 * Counts the answers "unknown card or customer", in the transaction that records them. Nothing else shows a key of
 * another account. After three different customers in a row, without any other answer, all orders wait as for refused
 * credentials, these three included (decisions.md §9).
 */
export async function countMissing(tx: Transaction, results: readonly Result[], now: Date): Promise<WrongAccounts> {
  const wrong = new Map<LeasedCycle, 'found' | 'known'>();
  const all = answersOf(results);
  const ended = all.filter(({ hasOther }) => hasOther);
  if (ended.length > 0)
    await endStreaks(
      tx,
      ended.map(({ siteId, type }) => ({ site_id: siteId, type })),
    );
  for (const answers of all) {
    if (answers.missing.length > 0) await new Streak(tx, answers, answers.missing[0]!.presentUtc ?? now).count(wrong);
  }
  return wrong;
}

/**
 * For one of them: it waits as for refused credentials. Its attempt was answered, so the next one has a new idempotency
 * key: for the same key the gateway may repeat its stored answer.
 */
export function waitsForAccount(
  cycle: LeasedCycle,
  order: LockedOrder,
  schedules: RetrySchedules,
  now: Date,
  wrongAccount: 'found' | 'known',
): FailedAttempt {
  const refused: FailedOutcome = { kind: 'charge', answer: { kind: 'refused', message: WRONG_ACCOUNT } };
  return { ...decide(cycle, order, refused, schedules, now), attempt: cycle.attempt, wrongAccount };
}

class Streak {
  private readonly key: readonly [number, PaymentMethodType];

  constructor(
    private readonly tx: Transaction,
    private readonly answers: Answers,
    private readonly now: Date,
  ) {
    this.key = [answers.siteId, answers.type];
  }

  async count(wrong: Map<LeasedCycle, 'found' | 'known'>): Promise<void> {
    const row = await lockStreak(this.tx, this.key);
    const { missing, hasOther } = this.answers;
    let isKnown = row.wrongAccount;
    let streak = row.missing;
    const cards = isKnown || hasOther ? new Map<number, MissingCard>() : await this.read(missing);
    for (const cycle of missing) {
      const card = cards.get(cycle.scheduledOrderId);
      if (isKnown) wrong.set(cycle, 'known');
      // It has waited for these credentials, and they are right: only its own card is unknown.
      else if (!card || (cycle.waitingSinceUtc !== null && card.fingerprint === row.clearedFingerprint)) continue;
      else {
        streak = await this.since(continued(streak, card));
        if (!isLong(streak)) continue;
        isKnown = true;
        const here = new Map(missing.map((one) => [one.scheduledOrderId, one]));
        for (const { order } of streak) if (here.has(order)) wrong.set(here.get(order)!, 'known');
        wrong.set(cycle, 'found');
        await this.hold(streak, here);
      }
    }
    if (!isKnown) await keepStreak(this.tx, this.key, streak);
  }

  /** Adds the answers that other workers have received. */
  private async since(streak: readonly MissingCard[]): Promise<MissingCard[]> {
    if (!isLong(streak)) return [...streak];
    const { fingerprint } = streak.at(-1)!;
    const first = streak.map(({ startedUtc }) => startedUtc).reduce((one, other) => (one < other ? one : other));
    return since(streak, await lastPaidUtc(this.tx, this.key, fingerprint, first));
  }

  private async hold(streak: readonly MissingCard[], here: ReadonlyMap<number, LeasedCycle>): Promise<void> {
    const last = Math.max(...streak.map(({ order }) => order));
    await takeForWrongAccount(this.tx, this.key, this.in(INTEGRATION_RETRY_MS), last);
    const before = streak.filter(({ order }) => !here.has(order));
    if (before.length === 0) return;
    const cycles = before.map(({ order, cycle }) => ({ id: order, cycle }));
    await takeBack(this.tx, cycles, {
      untilUtc: this.in(LONGEST_WAIT_MS),
      message: WRONG_ACCOUNT,
      description: `${describeFailure(failure('PaymentIntegrationNotFound', WRONG_ACCOUNT))} The order is Active again and waits.`,
    });
  }

  private async read(cycles: readonly LeasedCycle[]): Promise<Map<number, MissingCard>> {
    const rows = await readMissing(
      this.tx,
      cycles.map(({ scheduledOrderId, cycle }) => ({ id: scheduledOrderId, cycle })),
    );
    return new Map(rows.map((row) => [row.order, { ...row, startedUtc: new Date(row.startedUtc).toISOString() }]));
  }

  private in(ms: number): Date {
    return laterUtc(this.now, ms);
  }
}

/** By integration, in the order of their keys, so that every worker takes the locks in the same order. */
function answersOf(results: readonly Result[]): Answers[] {
  const byKey = new Map<string, Answers>();
  for (const { cycle, outcome } of results) {
    const type = cycle.paymentMethodType;
    const isMissing = isMissingCard(outcome);
    if (type === null || (!isMissing && !isOtherAnswer(outcome))) continue;
    const key = integrationKey(cycle.siteId, type);
    const answers = byKey.get(key) ?? { siteId: cycle.siteId, type, missing: [], hasOther: false };
    byKey.set(key, answers);
    if (isMissing) answers.missing.push(cycle);
    else answers.hasOther = true;
  }
  return [...byKey.values()].sort((one, other) => one.siteId - other.siteId || one.type.localeCompare(other.type));
}

/** The account has no such card or customer. */
export function isMissingCard(outcome: Outcome): boolean {
  if (outcome.kind !== 'charge' && outcome.kind !== 'inDoubt') return false;
  return outcome.answer.kind === 'declined' && outcome.answer.missing === true;
}

/** The gateway answered for this account: it paid, declined a card that it knows, or refused the credentials. */
function isOtherAnswer(outcome: Outcome): boolean {
  if (outcome.kind === 'completed') return outcome.transactionId !== null;
  if (outcome.kind !== 'charge' && outcome.kind !== 'inDoubt') return false;
  return ['declined', 'givenBack', 'refused'].includes(outcome.answer.kind);
}
