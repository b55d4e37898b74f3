export { OUTWARD_TYPES, type OutwardType } from './event-types.js';
export { setListening } from './listening.js';
export { EVENTS_CHANNEL, type Numbered, numberEvents } from './number-events.js';
