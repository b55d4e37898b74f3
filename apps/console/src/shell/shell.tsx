import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure, useIdle } from '@mantine/hooks';
import { focusManager, useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { sessionQuery } from '../api/session.ts';
import { Status } from '../components/status.tsx';
import { sitesQuery, useSite } from '../sites.ts';
import { LogOut, SchemeSwitch, SiteSwitcher } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { leaveForGood } from './unsaved.ts';

/** Parameters that name the record which a page is about. */
const RECORDS: readonly string[] = ['product', 'endpoint', 'rate'];

/** What the page is about: its path, and the record that its parameters name. */
function pageOf({ pathname, search }: { readonly pathname: string; readonly search: object }): string {
  return JSON.stringify([pathname, Object.entries(search).filter(([name]) => RECORDS.includes(name))]);
}

/**
 * Another page is read from its beginning: without this, a screen reader and the Tab key would stay at the link that
 * led to it.
 */
function useFocusOnNewPage(): void {
  const page = useRouterState({
    select: ({ resolvedLocation }) => (resolvedLocation === undefined ? undefined : pageOf(resolvedLocation)),
  });
  const shown = useRef(page);
  useEffect(() => {
    if (page === undefined || shown.current === page) return;
    // A dialog that was opened with the page has the focus.
    const isCovered = document.querySelector('[aria-modal="true"]') !== null;
    if (shown.current !== undefined && !isCovered) document.getElementById('content')?.focus({ preventScroll: true });
    shown.current = page;
  }, [page]);
}

/** What is around every page of a site. */
export function Shell(): ReactElement {
  const site = useSite();
  const { data: sites = [site] } = useQuery(sitesQuery);
  const [isOpen, { toggle, close }] = useDisclosure();
  useFocusOnNewPage();
  useSameAccount();
  useRestWhenIdle();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px={{ base: 'xs', sm: 'md' }} justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="xs" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label="Pages"
              aria-expanded={isOpen}
            />
            <SiteSwitcher sites={sites} chosen={site} />
            {site.isSimulated && <Status status="Simulated" />}
          </Group>
          <Group wrap="nowrap" gap="xs">
            <SchemeSwitch />
            <LogOut />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Pages" {...(isOpen ? {} : { className: 'closed' })}>
        <AppShell.Section grow p="xs" className="navigation">
          <Navigation siteId={site.id} onChosen={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className="page">
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/**
 * All tabs have one session. When somebody else has logged in in another one, this page is loaded anew: what it has
 * read is of the former account, and what it would send is the new one's.
 */
function useSameAccount(): void {
  const { data: session, refetch } = useQuery(sessionQuery);
  const userId = useRef<number | null>(null);
  useEffect(() => {
    const look = () => void refetch();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [refetch]);
  useEffect(() => {
    if (session === undefined) return;
    userId.current ??= session.UserId;
    if (userId.current !== session.UserId) leaveForGood(() => location.reload());
  }, [session]);
}

const IDLE_MS = 10 * 60_000;

/**
 * Without a key or a movement for ten minutes, no page asks again by itself: else a screen that nobody looks at would
 * keep its session alive. With the next movement everything is read again.
 */
function useRestWhenIdle(): void {
  const isIdle = useIdle(IDLE_MS, { initialState: false });
  useEffect(() => {
    // A page that has no focus is not read again.
    focusManager.setFocused(isIdle ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isIdle]);
}
