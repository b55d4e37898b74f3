import { lazy, type ReactElement, Suspense } from 'react';
import { useIsSessionLost } from './session-lost.ts';

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
