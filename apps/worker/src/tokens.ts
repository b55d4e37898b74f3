/** The injection tokens of what is no class. `SETTINGS`: Settings. */
export const SETTINGS = Symbol('settings');
/** Logger: each line names the worker. */
export const LOG = Symbol('log');
/** string: new for every process, so that a restarted worker is never mistaken for its predecessor. */
export const WORKER_ID = Symbol('worker id');
/** ConnectionPool: the connections of dispatcher and pushes, so that they take none from processing. */
export const DISPATCH_POOL = Symbol('dispatch pool');
