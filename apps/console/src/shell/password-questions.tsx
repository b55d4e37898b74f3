import { lazy, type ReactElement, Suspense } from 'react';
import { useIsPasswordNeeded, useIsSessionLost } from './session-state.ts';

const LogInAgain = lazy(async () => ({ default: (await import('./log-in-again.tsx')).LogInAgain }));
const EnterPassword = lazy(async () => ({ default: (await import('./enter-password.tsx')).EnterPassword }));

/**
 * Asks for the password over the page, so that what is typed in it is not lost: a lost session's, or what a request
 * needs.
 */
export function PasswordQuestions(props: { readonly addressOfLogIn: () => string }): ReactElement {
  const isLost = useIsSessionLost();
  const isNeeded = useIsPasswordNeeded();
  return (
    <Suspense>
      {isNeeded && <EnterPassword />}
      {isLost && <LogInAgain {...props} />}
    </Suspense>
  );
}
