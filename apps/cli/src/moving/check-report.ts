import type { SqlExecutor } from '#libs/platform';
import { shownAmount, shownInstant } from '#libs/rules';
import type { Account } from './accounts.js';
import type { Candidate } from './candidate.js';
import { chargedBy } from './judge.js';
import { GOES_LIVE } from './moving.js';
import type { PaymentsSince } from './payments-since.js';
import { HEADINGS, type Reason } from './reasons.js';
import type { Result } from './store-results.js';

/** A subscription that needs a person. */
interface Named {
  readonly ScheduledOrderId: number;
  readonly SourceId: string;
  readonly Sentence: string;
}

/** How many sentences the table has for each reason. */
const EXAMPLES = 3;
const IDS_IN_LINE = 12;

/** What `migration:check` found. */
export class CheckReport {
  private passed = 0;
  private readonly staysPaused: Record<string, number> = {};
  private readonly held = new Map<Reason, Named[]>();
  private readonly datesChanged: number[] = [];
  private readonly uncompared: number[] = [];
  private readonly paidElsewhere: Named[] = [];
  private readonly liveElsewhere: Named[] = [];
  private live = 0;

  private constructor(
    private readonly siteId: number,
    private readonly manual: number,
    private readonly testModes: readonly string[],
  ) {}

  static async begin(database: SqlExecutor, siteId: number, accounts: Iterable<Account>): Promise<CheckReport> {
    const [row] = await database.execute<{ manual: number }>(
      `SELECT count(*) AS manual FROM migrated_subscriptions WHERE site_id = $1 AND state = 'Manual'`,
      [siteId],
    );
    const testModes = [...accounts].filter(({ testMode }) => testMode).map(({ type }) => type);
    return new CheckReport(siteId, row!.manual, testModes);
  }

  /** Whether a person has something to do before all can go live. */
  get needsPerson(): boolean {
    return this.held.size > 0 || this.paidElsewhere.length > 0 || this.liveElsewhere.length > 0;
  }

  add(candidates: readonly Candidate[], results: readonly Result[]): void {
    for (const { sourceStatus } of candidates) {
      if (sourceStatus !== GOES_LIVE) this.staysPaused[sourceStatus] = (this.staysPaused[sourceStatus] ?? 0) + 1;
    }
    for (const { candidate, held } of results) {
      if (held) {
        const others = this.held.get(held.reason) ?? [];
        this.held.set(held.reason, [...others, named(candidate, held.sentence)]);
        continue;
      }
      this.passed += 1;
      if (candidate.sourceTotal === null) this.uncompared.push(candidate.id);
      if (candidate.nextPaymentUtc?.getTime() !== candidate.nextOccurrenceUtc?.getTime()) {
        this.datesChanged.push(candidate.id);
      }
    }
  }

  /** A payment that this service did not make, of one that is live, may be a renewal of the old shop. */
  addLive(candidates: readonly Candidate[], payments: PaymentsSince): void {
    this.live += candidates.length;
    for (const candidate of candidates) {
      const { liveElsewhere, deleted } = candidate;
      if (liveElsewhere && !deleted) this.liveElsewhere.push(named(candidate, chargedBy(liveElsewhere)));
      const [newest] = payments.from(candidate, candidate.liveUtc!.getTime());
      if (!newest) continue;
      const shown = shownAmount(newest.amount, newest.currencyIso ?? candidate.currencyIso);
      const sentence = `${newest.transactionId} took ${shown} at ${shownInstant(newest.chargedUtc)}, and this service did not charge it.`;
      this.paidElsewhere.push(named(candidate, sentence));
    }
  }

  json(): object {
    return {
      Site: this.siteId,
      Passed: this.passed,
      Held: Object.fromEntries(this.inOrder()),
      StaysPaused: this.staysPaused,
      Manual: this.manual,
      Live: this.live,
      PaidElsewhere: this.paidElsewhere,
      LiveElsewhere: this.liveElsewhere,
      DatesChanged: this.datesChanged,
      TotalNotCompared: this.uncompared,
      TestMode: this.testModes,
    };
  }

  /** For a person. */
  table(): string {
    const heldCount = [...this.held.values()].reduce((sum, { length }) => sum + length, 0);
    const lines = [
      row('passed: may go live', this.passed),
      row('held', heldCount),
      ...this.inOrder().flatMap(([reason, all]) => section(`${reason}: ${HEADINGS[reason]}`, all)),
      ...Object.entries(this.staysPaused).map(([status, count]) =>
        row(`stay Paused: ${status} in the old shop`, count),
      ),
      row('left to a person by the import (Manual)', this.manual),
      row('live already', this.live),
      ...section(
        'paid since they went live, and not by this service: is the old shop still renewing?',
        this.paidElsewhere,
      ),
      ...section('live in another site as well: both are charged, so delete one of them', this.liveElsewhere),
      ...ids('passed with another next date than in the file', this.datesChanged),
      ...ids('passed, but the file has no total to compare', this.uncompared),
      ...this.testModes.map((type) => `${type} is in TestMode: no money will move through it.`),
    ];
    return `${lines.join('\n')}\n`;
  }

  private inOrder(): [Reason, Named[]][] {
    return (Object.keys(HEADINGS) as Reason[]).flatMap((reason) => {
      const all = this.held.get(reason);
      return all ? [[reason, all] as [Reason, Named[]]] : [];
    });
  }
}

const named = ({ id, sourceId }: Candidate, sentence: string): Named => ({
  ScheduledOrderId: id,
  SourceId: sourceId,
  Sentence: sentence,
});

const row = (what: string, count: number) => `${String(count).padStart(8)}  ${what}`;

function section(heading: string, all: readonly Named[]): string[] {
  if (all.length === 0) return [];
  return [
    `  ${row(heading, all.length)}`,
    ...idLines(all.map(({ ScheduledOrderId }) => ScheduledOrderId)),
    ...all
      .slice(0, EXAMPLES)
      .map((one) => `              ${one.ScheduledOrderId} (${one.SourceId} in the old shop): ${one.Sentence}`),
  ];
}

const ids = (heading: string, all: readonly number[]) =>
  all.length === 0 ? [] : [row(heading, all.length), ...idLines(all)];

function idLines(all: readonly number[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < all.length; from += IDS_IN_LINE) {
    lines.push(`              ${all.slice(from, from + IDS_IN_LINE).join(' ')}`);
  }
  return lines;
}
