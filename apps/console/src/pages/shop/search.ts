import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const TABS = ['connection', 'pushes', 'settings'] as const;
export type Tab = (typeof TABS)[number];

/** As the API calls them; an Order that is not to be pushed has none. */
export const PUSH_STATES = ['Waiting', 'Sending', 'Unknown', 'Pushed', 'Differs', 'Failed'] as const;
export type PushState = (typeof PUSH_STATES)[number];

/** What can be open over the page: those of the shop, and those of the push of `order` and `cycle`. */
export const DIALOGS = ['secret', 'rotate', 'off', 'retry', 'accept', 'link'] as const;
export type DialogName = (typeof DIALOGS)[number];

/** `state` and `cursor` are of the list of pushes. */
export const search = searchOf({
  tab: oneOf(TABS),
  state: oneOf(PUSH_STATES),
  cursor: text,
  dialog: oneOf(DIALOGS),
  order: wholeNumber,
  cycle: wholeNumber,
});

export type ShopSearch = ReturnType<typeof search>;
