import type { Difference } from '#libs/ledger';
import type { Result } from '../cycle/outcome.js';

/** Differences to report: one payment of the gateway stands for two cycles. */
export const transactionsTwice = (results: readonly Result[]): Difference[] =>
  results.flatMap(({ cycle: { siteId, paymentMethodType, scheduledOrderId, cycle, dueUtc }, outcome }) =>
    outcome.kind !== 'paidElsewhere'
      ? []
      : {
          siteId,
          kind: 'TransactionTwice' as const,
          paymentIntegrationId: null,
          paymentMethodType,
          transactionId: outcome.transactionId,
          scheduledOrderId,
          cycle,
          orderId: null,
          ours: { Cycle: cycle, OccurrenceUtc: dueUtc.toISOString() },
          theirs: { TransactionId: outcome.transactionId },
        },
  );
