import type { PaymentMethodType } from '#libs/gateways';
import type { PricedItem } from '#libs/records';
import { type Failure, type FrequencyType, pushProblem, type QuotableOrder, type Status } from '#libs/rules';
import type { Receiver } from '#libs/shops';

/** A scheduled order as it is priced and charged. */
export interface LoadedOrder extends QuotableOrder {
  readonly id: number;
  /** Shows whether the row is unchanged. */
  readonly version: string;
  readonly customerId: number;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly createdUtc: Date;
  /** No charge of a later cycle can be older than this. */
  readonly settledUntilUtc: Date;
  /** A gateway has a charge of it that has no place in the ledger yet. */
  readonly hasUnplaced: boolean;
  /** The kinds of the open differences that hold it; null: none does. */
  readonly heldBy: string | null;
  /** What must be able to take its Orders; null: nothing is pushed, or all is charged anyway. */
  readonly receiver: Receiver | null;
  readonly total: number;
  /** The sum of the versions of the batch's sites when the order was read. */
  readonly pricesVersion: number;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentMethodCustomerId: string | null;
  readonly paymentMethodId: string | null;
  /** The addresses as JSON arrays, as text. */
  readonly shipping: string;
  readonly billing: string;
  /** What names them to a shop is read only where orders are pushed. */
  readonly items: readonly PricedItem[];
}

/** Why its shop could not take what is charged. */
export const pushProblemOf = ({ receiver, items }: LoadedOrder): Failure | null =>
  receiver === null
    ? null
    : pushProblem(
        receiver,
        items.map(({ product }) => product),
      );
