import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Page } from '../../components/page.tsx';
import type { KindName } from './kinds.ts';
import { RateEditor } from './rate-editor.tsx';
import { RateList } from './rate-list.tsx';
import { RemoveRate } from './remove-rate.tsx';
import { type Tab, TABS } from './search.ts';
import { Tester } from './tester.tsx';

const route = getRouteApi('/s/$siteId/rates');

const WORDS: Readonly<Record<Tab, string>> = { tax: 'Tax', shipping: 'Shipping', tester: 'Tester' };

export function RatesPage(): ReactElement {
  const { tab = 'tax', remove } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (chosen: string | null) =>
    void navigate({
      // The cart stays: it is tried on tax as on shipping.
      search: ({ country, state, city, postcode, lines, customerId }) => ({
        ...{ country, state, city, postcode, lines, customerId },
        tab: TABS.find((one) => one === chosen),
      }),
    });
  return (
    <Page title="Rates" about="What is added to the prices of products: tax and shipping, by place and class.">
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label="Kinds of rates" mb="md">
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {WORDS[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="tax">
          <RatesOf kind="tax" />
        </Tabs.Panel>
        <Tabs.Panel value="shipping">
          <RatesOf kind="shipping" />
        </Tabs.Panel>
        <Tabs.Panel value="tester">
          <Tester />
        </Tabs.Panel>
      </Tabs>
      {remove !== undefined && tab !== 'tester' && <RemoveRate kind={tab} id={remove} />}
    </Page>
  );
}

function RatesOf({ kind }: { readonly kind: KindName }): ReactElement {
  const { rate } = route.useSearch();
  if (rate === undefined) return <RateList kind={kind} />;
  return <RateEditor kind={kind} id={rate === 'new' ? null : Number(rate)} />;
}
