import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

/** What can be open over the page. */
export const DIALOGS = ['person', 'shipping', 'billing', 'tax', 'add-card', 'card', 'remove-card'] as const;
export type DialogName = (typeof DIALOGS)[number];

/** `item` is the payment method that a dialog is about, `cursor` the place in the scheduled orders. */
export const search = searchOf({ dialog: oneOf(DIALOGS), item: wholeNumber, cursor: text });
