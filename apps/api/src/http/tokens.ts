/** The settings, for whoever asks for them by name. */
export const SETTINGS = Symbol('settings');
