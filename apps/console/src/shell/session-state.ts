import { useSyncExternalStore } from 'react';

let isLost = false;
/** Requests that wait for the password. */
let waiting: readonly ((isEntered: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function publish(): void {
  for (const listener of listeners) listener();
}

/** Whether the page waits for its account to log in again. */
export const isSessionLost = (): boolean => isLost;

export function setSessionLost(lost: boolean): void {
  isLost = lost;
  publish();
}

export const useIsSessionLost = (): boolean => useSyncExternalStore(subscribe, isSessionLost);

/** Asks for the password over the page; several requests ask once. @returns whether it was entered. */
export const askForPassword = (): Promise<boolean> =>
  new Promise((resolve) => {
    waiting = [...waiting, resolve];
    publish();
  });

export function answerPassword(isEntered: boolean): void {
  const requests = waiting;
  waiting = [];
  publish();
  for (const answer of requests) answer(isEntered);
}

export const useIsPasswordNeeded = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0);
