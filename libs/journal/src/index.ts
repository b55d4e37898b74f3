export { EVENT_TYPES, type EventType, insertErrorsSql, insertEventsSql } from './events.sql.js';
export { type ExceptionInfo, exceptionInfo, failureInfo } from './exception-info.js';
