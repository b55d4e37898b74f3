import { ActionLog, ErrorLog, EventLog } from '#libs/entities';
import { view } from '#libs/records';

const STAMPS = ['description', 'createdUtc', 'updatedUtc'] as const;

/** The entries of the three logs as the contract writes them. Snapshots are kept whole and shown whole. */
export const actionLogView = view(ActionLog, 'action_logs', [
  'id',
  'siteId',
  'scheduledOrderId',
  'actionType',
  'accessToken',
  'previousScheduledOrder',
  'newScheduledOrder',
  ...STAMPS,
]);

export const eventLogView = view(EventLog, 'event_logs', [
  'id',
  'siteId',
  'scheduledOrderId',
  'eventType',
  'scheduledOrder',
  ...STAMPS,
]);

export const errorLogView = view(ErrorLog, 'error_logs', [
  'id',
  'siteId',
  'scheduledOrderId',
  'exceptionInfo',
  'site',
  'entity',
  ...STAMPS,
]);
