import { flag, oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const STATES = ['Waiting', 'Delivered', 'Exhausted'] as const;
export type DeliveryState = (typeof STATES)[number];

/** What can be open over the page. */
export const DIALOGS = ['add', 'change', 'secret', 'rotate', 'disable', 'enable', 'test', 'recover', 'delete'] as const;
export type DialogName = (typeof DIALOGS)[number];

/** Without `endpoint` all of them are listed; `delivery` is the opened one, `state` and `cursor` are of its list. */
export const search = searchOf({
  failing: flag,
  endpoint: wholeNumber,
  state: oneOf(STATES),
  cursor: text,
  delivery: wholeNumber,
  dialog: oneOf(DIALOGS),
});

export type WebhooksSearch = ReturnType<typeof search>;
