import { useSyncExternalStore } from 'react';

let isLost = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether the page waits for its account to log in again. */
export const isSessionLost = (): boolean => isLost;

export function setSessionLost(lost: boolean): void {
  isLost = lost;
  for (const listener of listeners) listener();
}

export const useIsSessionLost = (): boolean => useSyncExternalStore(subscribe, isSessionLost);
