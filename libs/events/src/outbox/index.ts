export { type OutboxRow, outboxColumns, outwardEvent, type OutwardEvent, outwardId } from './event.js';
export { dataSchemaOf, exampleDataOf } from './event-schemas.js';
export {
  EVENT_TYPES,
  type EventType,
  mayHaveLogEntry,
  OUTWARD_TYPES,
  type OutwardType,
  ownFactsOf,
  typesMatching,
} from './event-types.js';
export { insertOutboxSql, listensSql, OUTBOX_COLUMNS, WAKE_SQL } from './insert.sql.js';
export { noticeChanged, setListening } from './listening.js';
export { EVENTS_CHANNEL, hasUnnumbered, type Numbered, numberEvents } from './number-events.js';
export { writeEvent } from './write-event.js';
