import type { SettledAs } from '#libs/entities';
import { DIFFERENCE_KINDS, type DifferenceKind } from '#libs/ledger';
import { shownInstant } from '#libs/rules';

/** A difference as it stands now. */
export interface ShownDifference {
  readonly kind: DifferenceKind;
  readonly cycle: number | null;
  readonly orderId: number | null;
  readonly holds: boolean;
  readonly transactionId: string | null;
  readonly settledAs: SettledAs | null;
  readonly settledMs: number | null;
  readonly by: string | null;
  readonly note: string | null;
}

/** What differs, and how it was settled. */
export function differenceSentence(id: string, difference: ShownDifference): string {
  const { kind, transactionId } = difference;
  const about = DIFFERENCE_KINDS[kind].about.replace(/\.$/, '');
  return `Difference ${id}: ${about}${transactionId === null ? '' : `, transaction ${transactionId}`}. ${stateWords(difference)}`;
}

function stateWords({ holds, settledAs, settledMs, note }: ShownDifference): string {
  if (settledAs === null || settledMs === null)
    return holds ? 'Nothing is charged before it is settled.' : 'Nobody has settled it yet.';
  const noted = note === null || note === '' ? '.' : `: ${note}`;
  return `It was settled as ${settledAs} on ${shownInstant(new Date(settledMs))}${noted}`;
}
