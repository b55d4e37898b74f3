export { type Action, ACTION_TYPES, type ActionType, logAction, logDeletions, logMovedIn } from './action-log.js';
export { LOGGED_EVENT_TYPES, type LoggedEventType, insertErrorsSql, insertEventsSql } from './events.sql.js';
export { type ExceptionInfo, exceptionInfo, failureInfo } from './exception-info.js';
export { actionLogView, errorLogView, eventLogView, type LogView } from './log-views.js';
export { snapshot } from './order-snapshot.js';
