import * as kinds from './kinds.js';
import { withDefault } from './setting.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The settings of what leaves the service on its own. */
export const OUTWARD = {
  workerRoles: withDefault({
    name: 'WORKER_ROLES',
    section: 'Processing',
    kind: kinds.someOf(['processor', 'dispatcher', 'pushes']),
    default: 'processor,dispatcher,pushes',
    meaning:
      'What a worker does: `processor` processes due orders, `dispatcher` sends events to webhook endpoints, `pushes` brings charged Orders into the shops. Of each role at least one worker must run.',
    usedBy: ['worker', 'start'],
  }),
  outboundAllowedAddresses: withDefault({
    name: 'OUTBOUND_ALLOWED_ADDRESSES',
    section: 'Webhooks',
    kind: kinds.networks,
    default: '',
    meaning:
      'Addresses that requests to endpoints and shops of merchants may go to besides the public ones, also with http:. Empty: https: to public addresses only. Whoever may make an endpoint can send requests there. `npm start` opens 127.0.0.0/8 and ::1 unless this is set.',
    usedBy: ['api', 'worker', 'start'],
  }),
  pushRetryScheduleMs: withDefault({
    name: 'PUSH_RETRY_SCHEDULE',
    section: 'Shops',
    kind: kinds.durations(SECOND, 30 * DAY),
    default: 'PT1M,PT5M,PT30M,PT2H,PT6H,P1D,P1D',
    meaning:
      'When an Order that a shop certainly did not take is pushed again, each from the previous try; then its push has failed, and a person decides. A shop that says when (Retry-After), or that answers nobody, uses up no tries.',
    usedBy: ['worker', 'start'],
  }),
  pushUnknownWaitMs: withDefault({
    name: 'PUSH_UNKNOWN_WAIT',
    section: 'Shops',
    kind: kinds.duration(SECOND, DAY),
    default: 'PT10M',
    meaning:
      'For so long a shop may still be working on a request that it did not answer: nothing is sent again before, nor before two look-ups have found nothing; a third create comes after six times as long, and when nothing comes of it a person decides. After as long, a last look-up makes sure that an Order arrived once. Shorter than the slowest plugin of a shop takes, it makes twins.',
    usedBy: ['worker', 'start'],
  }),
  eventRetentionMs: withDefault({
    name: 'EVENT_RETENTION',
    section: 'Logs',
    kind: kinds.duration(7 * DAY, 3_650 * DAY),
    default: 'P30D',
    meaning:
      'How long events are kept for the event feed and for sending them again (docs/events.md). A client that reads the feed less often misses some.',
    usedBy: ['worker', 'start'],
  }),
} as const;
