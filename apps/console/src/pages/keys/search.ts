import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

/** What can be open over the page. */
export const DIALOGS = ['make', 'delete-key', 'revoke-token'] as const;
export type DialogName = (typeof DIALOGS)[number];

/** `entry` is the key or token that the dialog is about, `cursor` the page of the tokens. */
export const search = searchOf({ dialog: oneOf(DIALOGS), entry: wholeNumber, cursor: text });
