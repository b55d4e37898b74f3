import { Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { PageLink } from '../../components/page.tsx';
import { Instant } from '../../components/values.tsx';
import { sitesQuery } from '../../sites.ts';
import { type FigureProps, Figures } from './figure.tsx';
import { counted, type State } from './queries.ts';

/** What waits to be charged, in all real shops of the account. */
export function Orders({ state }: { readonly state: State }): ReactElement {
  return (
    <Figures
      title="Scheduled orders"
      about="Of all your real shops together. Test shops are not counted."
      figures={[...lag(state), ...troubles(state)]}
    />
  );
}

/** The API names the list behind a figure; its end is the instant up to which orders are due. */
const endOf = (link: string) => new URL(link, location.origin).searchParams.get('NextTo') ?? undefined;

function lag({ Orders: orders, AsOfUtc, More }: State): readonly FigureProps[] {
  const { Due, Overdue, OldestDueUtc, Links } = orders;
  const links = (to: string | undefined) => (
    <OfEachShop>
      {(siteId, words) => (
        <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={{ status: 'Active', to }} size="sm">
          {words}
        </PageLink>
      )}
    </OfEachShop>
  );
  return [
    {
      name: 'Overdue',
      value: counted(Overdue, 'Orders.Overdue', More),
      state: Overdue === 0 ? 'good' : 'bad',
      means: 'Orders that have been due for more than 5 minutes.',
      help: 'Above 0: look at the workers. Where they work, start another one, until it is 0 again.',
      links: Overdue > 0 && links(endOf(Links.Overdue)),
    },
    {
      name: 'Due now',
      value: counted(Due, 'Orders.Due', More),
      state: 'good',
      means: 'Active orders whose time has come. They are charged within seconds.',
      help: 'It may be high for a while, such as at midnight. What counts is for how long the oldest has waited.',
      links: Due > 0 && links(endOf(Links.Due)),
    },
    {
      name: 'The oldest of them',
      value: OldestDueUtc === null ? 'None is due' : <Instant at={OldestDueUtc} from={AsOfUtc} />,
      state: Overdue === 0 ? 'good' : 'bad',
      means: 'Since when it has been due: the lag.',
      help: 'More than 5 minutes ago: as with overdue orders.',
    },
  ];
}

function troubles({ Orders: orders, More }: State): readonly FigureProps[] {
  const { Retrying, Waiting, Unknown } = orders;
  const links = (problem: 'Retrying' | 'Waiting' | 'Unknown') => (
    <OfEachShop>
      {(siteId, words) => (
        <PageLink to="/s/$siteId/failures" params={{ siteId }} search={{ problem }} size="sm">
          {words}
        </PageLink>
      )}
    </OfEachShop>
  );
  return [
    {
      name: 'Tried again',
      value: counted(Retrying, 'Orders.Retrying', More),
      state: 'good',
      means: 'Orders whose charge failed, and which have a next try.',
      help: 'Some are usual. Suddenly many: look at the reasons on the page Failures.',
      links: Retrying > 0 && links('Retrying'),
    },
    {
      name: 'Waiting for their payment integration',
      value: counted(Waiting, 'Orders.Waiting', More),
      state: Waiting === 0 ? 'good' : 'bad',
      means: 'It is missing, or the gateway refuses it.',
      help: 'Above 0: correct the payment integration. They go on by themselves then.',
      links: Waiting > 0 && links('Waiting'),
    },
    {
      name: 'Outcome unknown',
      value: counted(Unknown, 'Orders.Unknown', More),
      state: Unknown === 0 ? 'good' : 'attention',
      means: 'A charge was sent, and no answer came. It is looked up at the gateway.',
      help: 'For longer than an hour: settle it by hand. Each order says how.',
      links: Unknown > 0 && links('Unknown'),
    },
  ];
}

interface OfEachShopProps {
  readonly children: (siteId: number, words: string) => ReactNode;
}

/** The figures are of all real shops, lists of one: a link for each. */
function OfEachShop({ children }: OfEachShopProps): ReactElement {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const real = sites.filter(({ isSimulated }) => !isSimulated);
  return (
    <Group gap="md">
      {real.map(({ id, name }) => (
        <span key={id}>{children(id, real.length === 1 ? 'Show them' : `Those of ${name}`)}</span>
      ))}
    </Group>
  );
}
