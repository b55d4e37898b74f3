import '@mantine/core/styles.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './api/session.ts';
import { createQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { PasswordQuestions } from './shell/password-questions.tsx';
import { isSessionLost, setSessionLost } from './shell/session-state.ts';
import { hasUnsaved } from './shell/unsaved.ts';
import { cssVariables, theme } from './theme.ts';

/** The policy of the page allows styles with this nonce alone. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

declare global {
  // Read by get-nonce, for the style that keeps a page from scrolling behind a dialog.
  var __webpack_nonce__: string | undefined;
}
globalThis.__webpack_nonce__ = nonce;

/** Not needed for the first picture. */
const Notifications = lazy(async () => ({ default: (await import('./shell/notifications.tsx')).Notifications }));

/**
 * What is typed stays: its account may log in over the page. Without anything typed the log-in page takes its place.
 */
const client = createQueryClient((isCommand) => {
  const { pathname, href } = router.state.location;
  if (pathname === '/login' || isSessionLost()) return;
  const isKnown = client.getQueryData(sessionQuery.queryKey) !== undefined;
  if (isKnown && (isCommand || hasUnsaved())) setSessionLost(true);
  else void router.navigate({ to: '/login', search: { to: href }, replace: true, ignoreBlocker: true });
});
const router = createConsoleRouter(client);

/** After it, this page again. */
const addressOfLogIn = () =>
  router.buildLocation({ to: '/login', search: { to: router.state.location.href } }).publicHref;

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <Suspense>
          <Notifications />
        </Suspense>
        <RouterProvider router={router} />
        <PasswordQuestions addressOfLogIn={addressOfLogIn} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
