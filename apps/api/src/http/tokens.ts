/** What the modules of the API are given from outside, by name. */
export const SETTINGS = Symbol('settings');
export const LOG = Symbol('log');
