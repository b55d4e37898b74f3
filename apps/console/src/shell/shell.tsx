import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { Status } from '../components/status.tsx';
import { sitesQuery, useSite } from '../sites.ts';
import { LogOut } from './log-out.tsx';
import { Navigation } from './navigation.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { SiteSwitcher } from './site-switcher.tsx';
import { useRestWhenIdle } from './use-rest-when-idle.ts';
import { useSameAccount } from './use-same-account.ts';

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
