import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Status } from '../components/status.tsx';
import { sitesQuery, useSite } from '../sites.ts';
import { LogOut } from './log-out.tsx';
import { Navigation } from './navigation.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { SiteSwitcher } from './site-switcher.tsx';

/** What is around every page of a site. */
export function Shell(): ReactElement {
  const site = useSite();
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const [isOpen, { toggle, close }] = useDisclosure();
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
      <AppShell.Navbar aria-label="Pages">
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
