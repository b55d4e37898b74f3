import type { PaymentMethodType } from '#libs/gateways';
import type { Account } from './accounts.js';
import type { JudgedAccount } from './judge.js';
import type { PaymentsSince } from './payments-since.js';

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
