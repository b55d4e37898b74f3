import { NavLink, Stack, Text } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon, type IconName } from '../components/icon.tsx';

const NavigationLink = createLink(NavLink<'a'>);

/** Every page of a site, in groups of one purpose. */
const GROUPS = [
  {
    title: 'Orders',
    pages: [
      { to: '/s/$siteId/today', label: 'Today', icon: 'today' },
      { to: '/s/$siteId/calendar', label: 'Calendar', icon: 'calendar' },
      { to: '/s/$siteId/scheduled-orders', label: 'Scheduled orders', icon: 'repeat' },
      { to: '/s/$siteId/failures', label: 'Failures', icon: 'warning' },
      { to: '/s/$siteId/differences', label: 'Differences', icon: 'question' },
      { to: '/s/$siteId/forecast', label: 'Forecast', icon: 'chart' },
    ],
  },
  {
    title: 'Shop',
    pages: [
      { to: '/s/$siteId/customers', label: 'Customers', icon: 'people' },
      { to: '/s/$siteId/products', label: 'Products', icon: 'box' },
      { to: '/s/$siteId/rates', label: 'Rates', icon: 'percent' },
      { to: '/s/$siteId/shop', label: 'Shop', icon: 'shop' },
    ],
  },
  {
    title: 'Connections',
    pages: [
      { to: '/s/$siteId/payments', label: 'Payments', icon: 'card' },
      { to: '/s/$siteId/webhooks', label: 'Webhooks', icon: 'send' },
      { to: '/s/$siteId/keys', label: 'Keys', icon: 'key' },
    ],
  },
  {
    title: 'System',
    pages: [
      { to: '/s/$siteId/test-clocks', label: 'Test clocks', icon: 'clock' },
      { to: '/s/$siteId/operations', label: 'Operations', icon: 'gauge' },
    ],
  },
] as const satisfies readonly {
  title: string;
  pages: readonly { to: string; label: string; icon: IconName }[];
}[];

interface NavigationProps {
  readonly siteId: number;
  readonly onChosen: () => void;
}

export function Navigation({ siteId, onChosen }: NavigationProps): ReactElement {
  return (
    <Stack gap="md">
      {GROUPS.map(({ title, pages }) => (
        <div key={title}>
          <Text size="xs" fw={700} c="dimmed" tt="uppercase" px="sm" pb={4}>
            {title}
          </Text>
          {pages.map(({ to, label, icon }) => (
            <NavigationLink
              key={to}
              to={to}
              params={{ siteId }}
              label={label}
              leftSection={<Icon name={icon} />}
              activeProps={{ active: true, 'aria-current': 'page' }}
              onClick={onChosen}
              className="navigation-link"
            />
          ))}
        </div>
      ))}
    </Stack>
  );
}
