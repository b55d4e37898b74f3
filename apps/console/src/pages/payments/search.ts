import { oneOf, searchOf, wholeNumber } from '../../search.ts';

/** What can be open over the page; `item` is the integration that it is about. */
export const search = searchOf({ dialog: oneOf(['add', 'change', 'remove']), item: wholeNumber });
