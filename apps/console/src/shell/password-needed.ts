import { useSyncExternalStore } from 'react';

/** Requests that wait for the password. */
let waiting: readonly ((isEntered: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setWaiting(requests: typeof waiting): void {
  waiting = requests;
  for (const listener of listeners) listener();
}

/** Asks for the password over the page; several requests ask once. @returns whether it was entered. */
export const askForPassword = (): Promise<boolean> => new Promise((resolve) => setWaiting([...waiting, resolve]));

export function answerPassword(isEntered: boolean): void {
  const requests = waiting;
  setWaiting([]);
  for (const answer of requests) answer(isEntered);
}

export const useIsPasswordNeeded = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0);
