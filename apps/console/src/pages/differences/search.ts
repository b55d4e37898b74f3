import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const STATES = ['Open', 'Settled'] as const;

/** Those that are open, unless it says otherwise. `settle` is the one that a dialog is about. */
export const search = searchOf({ state: oneOf(STATES), cursor: text, settle: wholeNumber });
