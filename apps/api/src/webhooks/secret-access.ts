import { type Caller, Forbidden } from '#libs/records';

/** Whether the caller may see endpoints' secrets: an API key may not. */
export const seesSecrets = ({ keyAccess }: Caller): boolean => keyAccess === null;

/** @throws Forbidden for an API key: a new secret would be shown to it. */
export function assertSeesSecrets(caller: Caller): void {
  if (!seesSecrets(caller)) throw new Forbidden('An API key may not make secrets of endpoints visible: log in.');
}
