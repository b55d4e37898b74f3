import { lazy, type ReactElement, Suspense, useSyncExternalStore } from 'react';

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

const LogInAgain = lazy(async () => ({ default: (await import('./log-in-again.tsx')).LogInAgain }));

/** Asks for the password over the page, so that what is typed in it is not lost. */
export function LostSession(props: { readonly addressOfLogIn: () => string }): ReactElement | null {
  const isShown = useIsSessionLost();
  if (!isShown) return null;
  return (
    <Suspense>
      <LogInAgain {...props} />
    </Suspense>
  );
}
