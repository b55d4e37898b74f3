import { Button, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../components/icon.tsx';
import { Status } from '../components/status.tsx';
import type { KnownSite } from '../sites.ts';

interface SiteSwitcherProps {
  readonly sites: readonly KnownSite[];
  readonly chosen: KnownSite;
}

/** The chosen shop, and the others. Another one begins at its Today: ids of this page mean nothing there. */
export function SiteSwitcher({ sites, chosen }: SiteSwitcherProps): ReactElement {
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button variant="default" className="site-switcher" rightSection={<Icon name="down" size={14} />}>
          <Text span truncate size="sm" fw={600} aria-label={`Shop: ${chosen.name}`}>
            {chosen.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Shops</Menu.Label>
        {sites.map((site) => (
          <Menu.Item
            key={site.id}
            renderRoot={(props) => <Link to="/s/$siteId/today" params={{ siteId: site.id }} {...props} />}
            leftSection={<Icon name={site.id === chosen.id ? 'check' : site.isSimulated ? 'clock' : 'shop'} />}
            rightSection={site.isSimulated ? <Status status="Simulated" /> : null}
            {...(site.id === chosen.id ? { 'aria-current': 'true' as const } : {})}
          >
            {site.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
