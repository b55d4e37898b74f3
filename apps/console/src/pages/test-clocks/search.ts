import { oneOf, searchOf, wholeNumber } from '../../search.ts';

/** What can be open over the page. */
export const DIALOGS = ['make', 'advance', 'outage', 'delete'] as const;
export type DialogName = (typeof DIALOGS)[number];

/** `clock` is the simulated shop that the dialog is about. */
export const search = searchOf({ dialog: oneOf(DIALOGS), clock: wholeNumber });
