import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { DataTable } from '../../components/lists/data-table.tsx';
import { PageLink } from '../../components/page.tsx';
import { Instant } from '../../components/values.tsx';
import { sitesQuery } from '../../sites.ts';
import { type FigureProps, Figures } from './figure.tsx';
import { counted, type State } from './queries.ts';

interface StateProps {
  readonly state: State;
}

/** Payment integrations that orders wait for. */
export function Integrations({ state }: StateProps): ReactElement {
  const { Waits, Uncompared } = state.Integrations;
  return (
    <Figures
      title="Payment integrations"
      about="Of all your real shops together."
      figures={[
        {
          name: 'Orders wait for',
          value: Waits.length,
          state: Waits.length === 0 ? 'good' : 'bad',
          means: 'Payment integrations that are missing, that refuse us, or that do not answer.',
          help: 'Above 0: correct each below. It is tried again with one order at a time.',
        },
        {
          name: 'Being compared',
          value: Uncompared,
          state: Uncompared === 0 ? 'good' : 'attention',
          means: 'After a restore or a move, charges at the gateway are compared with ours before anything is charged.',
          help: 'It ends by itself. Where it does not: look in the log of the workers.',
        },
      ]}
    >
      {Waits.length > 0 && <WaitTable state={state} />}
    </Figures>
  );
}

function WaitTable({ state }: StateProps): ReactElement {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  return (
    <DataTable
      label="Payment integrations that orders wait for"
      rows={state.Integrations.Waits}
      keyOf={({ SiteId, PaymentMethodType }) => `${SiteId} ${PaymentMethodType}`}
      columns={[
        {
          title: 'Integration',
          cell: ({ SiteId: siteId, PaymentMethodType }) => (
            <PageLink to="/s/$siteId/payments" params={{ siteId }}>
              {PaymentMethodType} of {sites.find(({ id }) => id === siteId)?.name ?? `shop ${siteId}`}
            </PageLink>
          ),
        },
        {
          title: 'Since',
          cell: ({ WaitingSinceUtc }) => <Instant at={WaitingSinceUtc} from={state.AsOfUtc} />,
        },
        {
          title: 'Tried again',
          cell: ({ NextProbeUtc }) => (NextProbeUtc === null ? 'Now' : <Instant at={NextProbeUtc} />),
        },
        {
          title: 'What is wrong',
          cell: ({ WrongAccount }) =>
            WrongAccount
              ? 'Its credentials seem to be those of another account: enter the right ones.'
              : 'The page Payments says it, and verifies a correction.',
        },
      ]}
    />
  );
}

/** What is published to other systems, and how late. */
export function Messages({ state, siteId }: StateProps & { readonly siteId: number }): ReactElement {
  return (
    <Figures
      title="Webhooks and events"
      about="Of all your real shops together; the links lead to the endpoints of the shop that is chosen."
      figures={[...deliveries(state), ...endpoints(state, siteId), events(state)]}
    />
  );
}

const deliveries = ({ Webhooks: { Waiting, OldestWaitingUtc }, AsOfUtc, More }: State): readonly FigureProps[] => [
  {
    name: 'Deliveries that wait',
    value: counted(Waiting, 'Webhooks.Waiting', More),
    state: 'good',
    means: 'For their first or their next try, to endpoints that are enabled.',
    help: 'Growing: an endpoint fails or is slow, or no worker works.',
  },
  {
    name: 'The oldest delivery',
    value: OldestWaitingUtc === null ? 'None waits' : <Instant at={OldestWaitingUtc} from={AsOfUtc} />,
    state: 'good',
    means: 'Since when the oldest of them has waited.',
    help: 'Hours ago: look at the endpoints that fail.',
  },
];

function endpoints({ Webhooks: webhooks }: State, siteId: number): readonly FigureProps[] {
  const { EndpointsFailing, EndpointsHeld, EndpointsDisabled } = webhooks;
  return [
    {
      name: 'Endpoints that fail',
      value: EndpointsFailing,
      state: EndpointsFailing === 0 ? 'good' : 'bad',
      means: 'Nothing is delivered to them.',
      help: 'Above 0: read the answer of a delivery, correct the receiver, and send a test.',
      links: (
        <PageLink to="/s/$siteId/webhooks" params={{ siteId }} search={{ failing: true }} size="sm">
          Endpoints that fail
        </PageLink>
      ),
    },
    {
      name: 'Endpoints held back',
      value: EndpointsHeld,
      state: EndpointsHeld === 0 ? 'good' : 'attention',
      means: 'After five failures in a row only one delivery tries, and the others wait.',
      help: 'Above 0: correct the receiver. After a success what has waited is sent.',
    },
    {
      name: 'Endpoints disabled by the service',
      value: EndpointsDisabled,
      state: EndpointsDisabled === 0 ? 'good' : 'bad',
      means: 'After an answer 410, or after five days without success.',
      help: 'Above 0: enable them when the receiver works, then send what was missed.',
      links: (
        <PageLink to="/s/$siteId/webhooks" params={{ siteId }} size="sm">
          All endpoints
        </PageLink>
      ),
    },
  ];
}

const events = ({ Events: { Unnumbered, OldestUnnumberedUtc }, AsOfUtc, More }: State): FigureProps => ({
  name: 'Events that nobody is told of yet',
  value: (
    <>
      {counted(Unnumbered, 'Events.Unnumbered', More)}
      {OldestUnnumberedUtc !== null && (
        <>
          , the oldest <Instant at={OldestUnnumberedUtc} from={AsOfUtc} />
        </>
      )}
    </>
  ),
  state: 'good',
  means: 'A worker numbers them within seconds; then the feed and webhooks have them.',
  help: 'For minutes: no worker works. Look at the workers.',
});
