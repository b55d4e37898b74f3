import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const TABS = ['contents', 'settings', 'timeline', 'cycles'] as const;
export type Tab = (typeof TABS)[number];

/** What can be open over the page. */
export const DIALOGS = [
  'skip',
  'process',
  'pause',
  'activate',
  'reschedule',
  'cancel',
  'reactivate',
  'payment',
  'schedule',
  'address',
  'add-item',
  'change-item',
  'remove-item',
  'delete',
] as const;
export type DialogName = (typeof DIALOGS)[number];

/** `item` is the one that a dialog is about, `cycle` the one that is explained, `cursor` the place in the timeline. */
export const search = searchOf({
  tab: oneOf(TABS),
  dialog: oneOf(DIALOGS),
  item: wholeNumber,
  cycle: wholeNumber,
  page: wholeNumber,
  cursor: text,
});
