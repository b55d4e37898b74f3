import * as kinds from './kinds.js';
import { withDefault } from './setting.js';

const DAY = 24 * 60 * 60 * 1_000;

/** The settings of what leaves the service on its own. */
export const OUTWARD = {
  workerRoles: withDefault({
    name: 'WORKER_ROLES',
    section: 'Processing',
    kind: kinds.someOf(['processor', 'dispatcher']),
    default: 'processor,dispatcher',
    meaning:
      'What a worker does: `processor` processes due orders, `dispatcher` sends events to webhook endpoints. Of each role at least one worker must run.',
    usedBy: ['worker', 'start'],
  }),
  outboundAllowedAddresses: withDefault({
    name: 'OUTBOUND_ALLOWED_ADDRESSES',
    section: 'Webhooks',
    kind: kinds.networks,
    default: '',
    meaning:
      'Addresses that requests to endpoints of merchants may go to besides the public ones, also with http:. Empty: https: to public addresses only. Whoever may make an endpoint can send requests there. `npm start` opens 127.0.0.0/8 and ::1 unless this is set.',
    usedBy: ['api', 'worker', 'start'],
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
