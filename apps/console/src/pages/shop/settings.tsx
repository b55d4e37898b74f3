import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { Icon } from '../../components/icon.tsx';
import { Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useSite } from '../../sites.ts';
import {
  EVENT_FIELDS,
  HOME_FIELDS,
  PRICE_FIELDS,
  SHIPPING_FIELDS,
  SITE_FIELDS,
  type Values,
  valuesOf,
} from './fields.ts';
import { siteQuery } from './queries.ts';
import { RecordForm } from './record-form.tsx';

interface OfSite {
  readonly siteId: number;
}

/** What the service knows of the shop, and how it reckons and tells. */
export function Settings({ siteId }: OfSite): ReactElement {
  const { isSimulated } = useSite();
  return (
    <Stack gap="lg">
      {isSimulated && (
        <Alert color="blue" icon={<Icon name="clock" />} title="This is a test shop">
          <Text size="sm">
            It has a clock of its own:{' '}
            <PageLink to="/s/$siteId/test-clocks" params={{ siteId }} size="sm">
              move its clock
            </PageLink>
            .
          </Text>
        </Alert>
      )}
      <SiteForm siteId={siteId} />
      <SettingsForms siteId={siteId} />
    </Stack>
  );
}

function SiteForm({ siteId }: OfSite): ReactElement {
  const router = useRouter();
  const site = useQuery(siteQuery(siteId));
  if (site.isPending) return <Loading />;
  if (site.data === undefined) return <ProblemAlert error={site.error} onRetry={() => void site.refetch()} />;
  return (
    <RecordForm
      title="The shop"
      about="Its name, and the currency of new orders. Its address and keys are under Connection."
      groups={[{ fields: SITE_FIELDS }]}
      stored={valuesOf(SITE_FIELDS, site.data)}
      save={(changes: Values) => ask(api.PUT('/api/Site/{siteId}', { params: { path: { siteId } }, body: changes }))}
      done="The shop is saved."
      // Its name and currency are read with the address of every page.
      onSaved={() => void router.invalidate()}
    />
  );
}

const PRICE_GROUPS = [
  { fields: PRICE_FIELDS },
  { legend: 'Where the prices hold', fields: HOME_FIELDS },
  { legend: 'Shipping', fields: SHIPPING_FIELDS },
];
const EVENT_GROUPS = [{ fields: EVENT_FIELDS }];
const fieldsOf = (groups: typeof PRICE_GROUPS) => groups.flatMap(({ fields }) => fields);

function SettingsForms({ siteId }: OfSite): ReactElement {
  const params = { path: { siteId } };
  const settings = useQuery({
    queryKey: ['site-settings', siteId],
    queryFn: ({ signal }) => ask(api.GET('/api/Site/{siteId}/Settings', { params, signal })),
  });
  if (settings.isPending) return <Loading />;
  if (settings.data === undefined)
    return <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />;
  const save = (changes: Values) => ask(api.PUT('/api/Site/{siteId}/Settings', { params, body: changes }));
  return (
    <>
      <RecordForm
        title="Prices and taxes"
        about="They hold for every order from now on, also for those that exist. Try them on an address on the page Rates."
        groups={PRICE_GROUPS}
        stored={valuesOf(fieldsOf(PRICE_GROUPS), settings.data)}
        save={save}
        done="Prices and taxes are saved."
      />
      <RecordForm
        title="Events"
        about="What other systems are told of orders."
        groups={EVENT_GROUPS}
        stored={valuesOf(EVENT_FIELDS, settings.data)}
        save={save}
        done="The settings of events are saved."
      />
    </>
  );
}
