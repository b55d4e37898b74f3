import type { Capture } from '../support/gateways/ledger.js';
import type { Random } from '../support/random.js';
import { repeatedly } from './actor.js';
import type { Tally } from './tally.js';
import type { StandIns } from './weather.js';

/** What somebody has done with a charge at its gateway. */
export interface GivenBack {
  readonly transactionId: string;
  readonly as: 'refund' | 'void' | 'dispute';
  /** All of it went back to the customer. */
  readonly isWhole: boolean;
  readonly atMs: number;
}

const KINDS = { 'refunded whole': 3, 'refunded in part': 2, disputed: 2, voided: 3 } as const;
/** Of so many latest charges of a gateway some are not recorded yet. */
const LATEST = 5;

/**
 * People and banks who give charges back at the gateways themselves, of every age, also before their outcomes are
 * recorded.
 */
export class Dashboards {
  readonly givenBack: GivenBack[] = [];
  private readonly touched = new Set<string>();

  constructor(
    private readonly gateways: StandIns,
    private readonly tally: Tally,
    private readonly random: Random,
  ) {}

  run(everyMs: number, signal: AbortSignal): Promise<void> {
    const { random } = this;
    return repeatedly(
      signal,
      () => random.between(0.5, 1.5) * everyMs,
      () => this.one(),
    );
  }

  /**
   * By a person who has found that it paid nothing, all that is left of it: the rest is refunded, a dispute accepted.
   */
  refund(capture: Capture): void {
    const { transactionId, amount } = capture;
    const { one, two } = this.gateways;
    const isOne = one.ledger.charges.some((charge) => charge.transactionId === transactionId);
    const before = this.givenBack.find((given) => given.transactionId === transactionId);
    if (before === undefined) return this.giveBack(capture, isOne, 'refunded whole');
    if (before.as === 'refund' && isOne) one.refund(transactionId);
    else if (before.as === 'refund') two.refund(transactionId, (Number(amount) - 0.01).toFixed(2));
    this.givenBack.push({ ...before, isWhole: true, atMs: Date.now() });
    this.tally.add(before.as === 'refund' ? 'refunded whole' : 'disputed');
  }

  private one(): void {
    const { gateways, random, touched } = this;
    const isOne = random.chance(0.5);
    const { charges } = (isOne ? gateways.one : gateways.two).ledger;
    if (charges.length === 0) return;
    const capture = random.pick(random.chance(0.5) ? charges.slice(-LATEST) : charges);
    if (touched.has(capture.transactionId)) return;
    this.giveBack(capture, isOne, random.weighted(isOne ? { ...KINDS, voided: 0 } : KINDS));
  }

  private giveBack(capture: Capture, isOne: boolean, kind: keyof typeof KINDS): void {
    this.touched.add(capture.transactionId);
    const as = isOne ? this.atOne(kind, capture) : this.atTwo(kind, capture);
    const isWhole = kind === 'refunded whole' || kind === 'voided';
    this.givenBack.push({ transactionId: capture.transactionId, as, isWhole, atMs: Date.now() });
    this.tally.add(kind);
  }

  private atOne(kind: keyof typeof KINDS, { transactionId: id }: Capture): GivenBack['as'] {
    const { one } = this.gateways;
    if (kind === 'disputed') one.dispute(id);
    else one.refund(id, ...(kind === 'refunded in part' ? [1] : []));
    return kind === 'disputed' ? 'dispute' : 'refund';
  }

  private atTwo(kind: keyof typeof KINDS, { transactionId: id }: Capture): GivenBack['as'] {
    const { two } = this.gateways;
    if (kind === 'disputed') two.dispute(id);
    else if (kind === 'voided') two.void(id);
    else two.refund(id, ...(kind === 'refunded in part' ? ['0.01'] : []));
    return kind === 'disputed' ? 'dispute' : kind === 'voided' ? 'void' : 'refund';
  }
}
