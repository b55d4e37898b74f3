import { ActionLog, columnOf, ErrorLog, EventLog } from '#libs/entities';
import { type Field, type View, view, wireName } from '#libs/records';

const STAMPS = ['description', 'createdUtc', 'updatedUtc'] as const;

/** A field that holds a snapshot: as large as a resource can be, several times in an entry. */
interface Snapshot {
  /** The name in the API. */
  readonly name: string;
  readonly column: string;
}

/** A log's entries in the contract's form, whole or in pieces. Snapshots are stored and shown completely. */
export interface LogView {
  readonly whole: View;
  /** The same entry with null in place of every large snapshot. */
  readonly frame: View;
  readonly snapshots: readonly Snapshot[];
}

function logView<E>(
  entity: new () => E,
  table: string,
  fields: readonly (keyof E & string)[],
  large: readonly (keyof E & string)[],
): LogView {
  const framed = (field: keyof E & string): Field<E> =>
    large.includes(field) ? { name: wireName(field), sql: () => 'NULL::json' } : field;
  return {
    whole: view(entity, table, fields),
    frame: view(entity, table, fields.map(framed)),
    snapshots: large.map((field) => ({ name: wireName(field), column: columnOf(field) })),
  };
}

export const actionLogView = logView(
  ActionLog,
  'action_logs',
  [
    'id',
    'siteId',
    'scheduledOrderId',
    'actionType',
    'accessToken',
    'previousScheduledOrder',
    'newScheduledOrder',
    ...STAMPS,
  ],
  ['previousScheduledOrder', 'newScheduledOrder'],
);

export const eventLogView = logView(
  EventLog,
  'event_logs',
  ['id', 'siteId', 'scheduledOrderId', 'eventType', 'scheduledOrder', ...STAMPS],
  ['scheduledOrder'],
);

export const errorLogView = logView(
  ErrorLog,
  'error_logs',
  ['id', 'siteId', 'scheduledOrderId', 'exceptionInfo', 'site', 'entity', ...STAMPS],
  ['entity'],
);
