import { Button, NavLink, Text } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type ReactElement, useRef } from 'react';
import { Icon } from '../components/icon.tsx';
import { Status } from '../components/status.tsx';
import type { KnownSite } from '../sites.ts';

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
