import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Explained, Order } from '../../orders/queries.ts';
import { Contents } from './contents.tsx';
import { Cycles } from './cycles.tsx';
import { type Tab, TABS } from './search.ts';
import { Settings } from './settings.tsx';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/s/$siteId/scheduled-orders/$orderId');

const WORDS: Readonly<Record<Tab, string>> = {
  contents: 'Items and amount',
  settings: 'Schedule, payment, delivery',
  timeline: 'Timeline',
  cycles: 'Cycles',
};

interface OrderTabsProps {
  readonly order: Order;
  readonly explained: Explained;
}

/** The rest of the order, one part at a time. */
export function OrderTabs({ order, explained }: OrderTabsProps): ReactElement {
  const { tab = 'contents', cursor, cycle, page } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (chosen: string | null) =>
    void navigate({ search: { tab: TABS.find((one) => one === chosen) }, resetScroll: false });
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false} id="contents">
      <Tabs.List aria-label="Parts of the order">
        {TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {WORDS[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="contents" pt="md">
        <Contents order={order} quote={explained.HowMuch} />
      </Tabs.Panel>
      <Tabs.Panel value="settings" pt="md">
        <Settings order={order} explained={explained} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline" pt="md">
        <Timeline orderId={order.Id} cursor={cursor} hasCycles />
      </Tabs.Panel>
      <Tabs.Panel value="cycles" pt="md">
        <Cycles order={order} page={page} cycle={cycle} />
      </Tabs.Panel>
    </Tabs>
  );
}
