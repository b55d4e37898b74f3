import type { Caller } from '#libs/records';

/** Whether the caller may see endpoints' secrets: an API key may not. */
export const seesSecrets = ({ keyAccess }: Caller): boolean => keyAccess === null;
