import { Tabs } from '@mantine/core';
import type { ReactElement } from 'react';
import { Page } from '../../components/page.tsx';
import { useSite } from '../../sites.ts';
import { Connection } from './connection.tsx';
import { Pushes } from './pushes.tsx';
import { type Tab, TABS } from './search.ts';
import { Settings } from './settings.tsx';
import { usePlace } from './use-place.ts';

const WORDS: Readonly<Record<Tab, string>> = {
  connection: 'Connection',
  pushes: 'Pushed orders',
  settings: 'Settings',
};

/** The shop that one sells in: how it is connected, what was pushed into it, and what the service knows of it. */
export function ShopPage(): ReactElement {
  const { id: siteId } = useSite();
  const { tab = 'connection', go } = usePlace();
  const choose = (chosen: string | null) =>
    go({ tab: TABS.find((one) => one === chosen), state: undefined, cursor: undefined });
  return (
    <Page title="Shop" about="Where charged orders arrive and are packed, and how the service reckons for it.">
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label="Parts of the page" mb="md">
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {WORDS[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="connection">
          <Connection key={siteId} siteId={siteId} />
        </Tabs.Panel>
        <Tabs.Panel value="pushes">
          <Pushes siteId={siteId} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Settings key={siteId} siteId={siteId} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
