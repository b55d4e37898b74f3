import { ActionIcon, Button, NavLink, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createLink, useRouter } from '@tanstack/react-router';
import { type ReactElement, useRef } from 'react';
import { asProblem } from '../api/problem.ts';
import { logOut, sessionQuery } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { Status } from '../components/status.tsx';
import type { KnownSite } from '../sites.ts';
import { notify } from './notify.ts';
import { leaveForGood } from './unsaved.ts';

const SiteLink = createLink(NavLink<'a'>);
const LIST = 'sites';

interface SiteSwitcherProps {
  readonly sites: readonly KnownSite[];
  readonly chosen: KnownSite;
}

/**
 * The chosen shop, and the others. Another one begins at its Today: ids of this page mean nothing there.
 * The list is the browser's own popover, which closes by Escape and by a click elsewhere.
 */
export function SiteSwitcher({ sites, chosen }: SiteSwitcherProps): ReactElement {
  const list = useRef<HTMLElement>(null);
  return (
    <>
      <Button
        variant="default"
        className="site-switcher"
        popoverTarget={LIST}
        aria-label={`Shop: ${chosen.name}. Choose another`}
        rightSection={<Icon name="down" size={14} />}
      >
        <Text span truncate size="sm" fw={600}>
          {chosen.name}
        </Text>
      </Button>
      <nav ref={list} id={LIST} popover="auto" aria-label="Shops" className="site-list">
        {sites.map((site) => (
          <SiteLink
            key={site.id}
            to="/s/$siteId/today"
            params={{ siteId: site.id }}
            onClick={() => list.current?.hidePopover()}
            label={site.name}
            active={site.id === chosen.id}
            {...(site.id === chosen.id ? { 'aria-current': 'true' as const } : {})}
            leftSection={<Icon name={site.id === chosen.id ? 'check' : 'shop'} />}
            rightSection={site.isSimulated ? <Status status="Simulated" /> : null}
            className="navigation-link"
          />
        ))}
      </nav>
    </>
  );
}

/** Dark or light: as the system says until it is chosen here, then as chosen in this browser. */
export function SchemeSwitch(): ReactElement {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const label = `Use ${other} colours`;
  return (
    <ActionIcon variant="default" size="lg" aria-label={label} title={label} onClick={() => setColorScheme(other)}>
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}

export function LogOut(): ReactElement {
  const { buildLocation } = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const leaving = useMutation({
    mutationFn: logOut,
    // The page is loaded anew, so that nothing of this session is left in its memory.
    onSuccess: () => leaveForGood(() => location.assign(buildLocation({ to: '/login' }).publicHref)),
    onError: (error) => void notify({ color: 'red', title: 'Not logged out', message: asProblem(error).message }),
  });
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Log out"
      title={session === undefined ? 'Log out' : `Log out ${session.Email}`}
      loading={leaving.isPending}
      onClick={() => leaving.mutate()}
    >
      <Icon name="leave" />
    </ActionIcon>
  );
}
