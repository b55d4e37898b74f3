import * as kinds from './kinds.js';
import { withDefault } from './setting.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Limits that protect everybody from one caller (decisions.md §2). */
export const LIMITS = {
  maxListStreams: withDefault({
    name: 'MAX_LIST_STREAMS',
    section: 'HTTP',
    kind: kinds.integer('lists at once', 1, 10_000),
    default: '20',
    meaning:
      'Whole lists, and large pages and logs, that one API process streams at once; one more is answered 503 with Retry-After. Accounts share them (docs/api.md, Shares). A list needs about 4 MiB: where that many do not fit into a quarter of the memory of the container or machine, it streams fewer, and says so at its start.',
    usedBy: ['api'],
  }),
  minListBytesPerSecond: withDefault({
    name: 'MIN_LIST_BYTES_PER_SECOND',
    section: 'HTTP',
    kind: kinds.integer('bytes per second', 0, 1_000_000_000),
    default: '20000',
    meaning:
      'A client that reads a whole list more slowly than this, on average over LIST_READER_GRACE, is cut off. Time in which it waits for the service does not count. 0 cuts nobody off.',
    usedBy: ['api'],
  }),
  listReaderGraceMs: withDefault({
    name: 'LIST_READER_GRACE',
    section: 'HTTP',
    kind: kinds.duration(SECOND, HOUR),
    default: 'PT30S',
    meaning:
      'How long a reader of a whole list may pause, or be slower than MIN_LIST_BYTES_PER_SECOND, before it is cut off.',
    usedBy: ['api'],
  }),
  maxRequestsInFlight: withDefault({
    name: 'MAX_REQUESTS_IN_FLIGHT',
    section: 'HTTP',
    kind: kinds.integer('requests at once', 10, 1_000_000),
    default: '1000',
    meaning:
      'Requests that one API process works on, or keeps waiting, at once; one more is answered 503 with Retry-After.',
    usedBy: ['api'],
  }),
  maxEventPolls: withDefault({
    name: 'MAX_EVENT_POLLS',
    section: 'HTTP',
    kind: kinds.integer('requests at once', 1, 1_000_000),
    default: '200',
    meaning:
      'Requests that wait for events (WaitSeconds of GET /api/Events) in one API process at once; one more is answered 503 with Retry-After. Accounts share them (docs/api.md, Shares). Keep it well below MAX_REQUESTS_IN_FLIGHT.',
    usedBy: ['api'],
  }),
  maxSitesPerAccount: withDefault({
    name: 'MAX_SITES_PER_ACCOUNT',
    section: 'HTTP',
    kind: kinds.integer('sites', 1, 1_000_000),
    default: '200',
    meaning:
      'Sites that an account may create over the API, without test clocks. The command site:create is not limited.',
    usedBy: ['api'],
  }),
  maxRatesPerSite: withDefault({
    name: 'MAX_RATES_PER_SITE',
    section: 'HTTP',
    kind: kinds.integer('rates', 1, 10_000_000),
    default: '100000',
    meaning:
      'Shipping rates and tax rates, together, that may be created for a site over the API. The command import:tax-rates is not limited.',
    usedBy: ['api'],
  }),
  maxItemsPerOrder: withDefault({
    name: 'MAX_ITEMS_PER_ORDER',
    section: 'HTTP',
    kind: kinds.integer('items', 1, 5_000),
    default: '500',
    meaning:
      'Items that a request may send, and that an order may have. Larger orders that exist are processed as before; only additional items are refused.',
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
