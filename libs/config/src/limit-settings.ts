import * as kinds from './kinds.js';
import { withDefault } from './setting.js';

/** Bounds that protect everybody from one caller (decisions.md §2). */
export const LIMITS = {
  maxListStreams: withDefault({
    name: 'MAX_LIST_STREAMS',
    section: 'HTTP',
    kind: kinds.integer('lists at once', 1, 10_000),
    default: '20',
    meaning:
      'Whole lists, and large pages and logs, that one API process streams at the same time; one more is answered 503 with Retry-After.',
    usedBy: ['api'],
  }),
  maxRequestsInFlight: withDefault({
    name: 'MAX_REQUESTS_IN_FLIGHT',
    section: 'HTTP',
    kind: kinds.integer('requests at once', 10, 1_000_000),
    default: '1000',
    meaning:
      'Requests that one API process works on, or keeps waiting, at the same time; one more is answered 503 with Retry-After. Of one connection it works on 16 at once, and reads no further until some are answered.',
    usedBy: ['api'],
  }),
  maxItemsPerOrder: withDefault({
    name: 'MAX_ITEMS_PER_ORDER',
    section: 'HTTP',
    kind: kinds.integer('items', 1, 5_000),
    default: '500',
    meaning:
      'Items that a request may send, and that an order may have. A larger order that exists already is read, changed and processed as before; only more items are refused.',
    usedBy: ['api'],
  }),
  maxQuantityPerItem: withDefault({
    name: 'MAX_QUANTITY_PER_ITEM',
    section: 'HTTP',
    kind: kinds.integer('units', 1, 1_000_000),
    default: '999',
    meaning: 'The largest Quantity of an item that a Customer token may set. Merchant tokens may set up to 1,000,000.',
    usedBy: ['api'],
  }),
} as const;
