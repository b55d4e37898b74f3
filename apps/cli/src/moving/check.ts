import type { PaymentMethodType } from '#libs/gateways';
import { RateLoader } from '#libs/records';
import { type CompiledRates, NO_RATES } from '#libs/rules';
import { checkRealSite } from '../import/site-of-import.js';
import { type Account, accountsOf } from './accounts.js';
import { type Candidate } from './candidate.js';
import { candidatesOf } from './candidates.js';
import { CheckReport } from './check-report.js';
import { judge, type JudgedAccount, type Right } from './judge.js';
import { GOES_LIVE, JUDGED, type MovingParts } from './moving.js';
import { patiently } from './patiently.js';
import { paymentsOfSite } from './payments-of-site.js';
import type { PaymentsSince } from './payments-since.js';
import { type Held, held } from './reasons.js';
import { type Result, storeResults } from './store-results.js';

type JudgeOne = (candidate: Candidate, rates: CompiledRates) => Promise<Result>;

/**
 * Judges every moved subscription of a site that is not live yet, and stores the result. It charges nothing, and
 * changes no scheduled order.
 * @throws Refusal when there is no such site. DecryptionError.
 */
export async function checkMoved(parts: MovingParts): Promise<CheckReport> {
  const { database, siteId } = parts;
  await checkRealSite(database, siteId);
  const accounts = await accountsOf(database, parts.vault, parts.gateways, siteId);
  const { now, payments } = await paymentsOfSite(database, accounts, siteId, [...JUDGED, 'Live']);
  const judged = await judgedAccounts(accounts, payments);
  const report = await CheckReport.begin(database, siteId, accounts.values());

  const judgeOne: JudgeOne = async (candidate, rates) => {
    const { paymentMethodType: type } = candidate;
    const account = type === null ? null : (judged.get(type) ?? null);
    const ofCandidate = payments.paidBy(candidate);
    const result = judge(candidate, { account, payments: ofCandidate, rates, now });
    const isHeld = 'reason' in result ? result : await cardHeld(result);
    return { candidate, held: isHeld, payments: ofCandidate };
  };
  const cardHeld = async ({ card }: Right): Promise<Held | null> => {
    if (card === null) return null;
    const { gateway } = accounts.get(card.type)!;
    const answer = await patiently(() => gateway.findMethod(card.customerId, card.cardId));
    if (answer.kind === 'stored') return null;
    if (answer.kind === 'missing') return held('CardMissing', `${answer.message} The customer must store a card.`);
    return held(answer.kind === 'refused' ? 'IntegrationRefused' : 'GatewaySilent', answer.message);
  };

  for await (const some of candidatesOf(database, siteId, JUDGED)) {
    const results = await judgeAll(parts, some, judgeOne);
    await storeResults(database, results, now);
    report.add(some, results);
  }
  for await (const some of candidatesOf(database, siteId, ['Live'])) report.addLive(some, payments);
  return report;
}

/** Each with the rates that can apply to it. Those that do not go live are not judged. */
async function judgeAll(
  { database, siteId }: MovingParts,
  candidates: readonly Candidate[],
  judgeOne: JudgeOne,
): Promise<Result[]> {
  const rates = new RateLoader(database);
  const known = await rates.begin([siteId]);
  const shipped = candidates
    .filter(({ sourceStatus }) => sourceStatus === GOES_LIVE)
    .map((candidate) => ({ candidate, siteId, to: candidate }));
  const results: Result[] = [];
  for await (const portion of rates.portions(shipped, known)) {
    const compiled = portion.rates.get(siteId) ?? NO_RATES;
    results.push(...(await Promise.all(portion.orders.map(({ candidate }) => judgeOne(candidate, compiled)))));
  }
  return results;
}

/**
 * What the gateways say about a site's accounts: whether their credentials and mode are right, and whether their
 * payments could be listed.
 */
export async function judgedAccounts(
  accounts: ReadonlyMap<PaymentMethodType, Account>,
  payments: PaymentsSince,
): Promise<ReadonlyMap<PaymentMethodType, JudgedAccount>> {
  const judged = await Promise.all(
    [...accounts].map(async ([type, { gateway }]): Promise<[PaymentMethodType, JudgedAccount]> => {
      const failure = payments.failureOf(type);
      if (failure) {
        const { message: sentence } = failure;
        return [
          type,
          failure.kind === 'refused' ? { refused: sentence, silent: null } : { refused: null, silent: sentence },
        ];
      }
      const verification = await gateway.verify();
      return [type, { refused: verification.verified ? null : verification.message, silent: null }];
    }),
  );
  return new Map(judged);
}
