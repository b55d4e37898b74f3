import { Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { PageLink } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { distanceText } from '../../instants.ts';
import type { Explained, Order } from '../../orders/queries.ts';
import { useSite } from '../../sites.ts';
import { CyclePush } from './cycle-push.tsx';

interface NextAndLastProps {
  readonly order: Order;
  readonly explained: Explained;
}

/** What is next and how much, what was last, and what follows a failure: the API's own sentences. */
export function NextAndLast({ order, explained }: NextAndLastProps): ReactElement {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Next order={order} explained={explained} />
      <Last order={order} explained={explained} />
      <IfItFails explained={explained} />
    </SimpleGrid>
  );
}

const isProcessed = ({ Status: status }: Order) => status === 'Active';

function Next({ order, explained: { AsOfUtc, When, HowMuch, WithWhat } }: NextAndLastProps): ReactElement {
  const isTaken = When.Reason === 'InProgress';
  return (
    <Paper component="section" aria-labelledby="next">
      <Stack gap="xs">
        <Title order={2} id="next">
          Next
        </Title>
        <div aria-live="polite">
          {isTaken || When.Overdue ? (
            <Group gap="xs">
              <Loader size="sm" aria-hidden />
              <Text fw={650}>{isTaken ? 'Being processed' : 'Due, waits for a worker'}</Text>
            </Group>
          ) : (
            <Text fw={650} size="lg">
              {isProcessed(order) ? <Instant at={When.NextOccurrenceUtc} /> : 'Nothing is due'}
              {isProcessed(order) && <Distance at={When.NextOccurrenceUtc} from={AsOfUtc} />}
            </Text>
          )}
        </div>
        <Text fw={650} size="lg">
          <Money minor={HowMuch.Total} currency={order.CurrencyIso} />
        </Text>
        <Text size="sm">{When.Sentence}</Text>
        <Text size="sm">{WithWhat.Sentence}</Text>
      </Stack>
    </Paper>
  );
}

/** From the instant that the API calls now: a simulated shop has its own. */
const Distance = ({ at, from }: { readonly at: string | null; readonly from: string }) =>
  at === null ? null : (
    <Text size="sm" c="dimmed" component="span" display="block">
      {distanceText(at, from)}
    </Text>
  );

function Last({ order, explained: { AsOfUtc, LastTime } }: NextAndLastProps): ReactElement {
  const { id: siteId } = useSite();
  return (
    <Paper component="section" aria-labelledby="last">
      <Stack gap="xs">
        <Title order={2} id="last">
          Last time
        </Title>
        {LastTime === null ? (
          <Text size="sm">It has not been due yet.</Text>
        ) : (
          <>
            <Text fw={650} size="lg">
              <Instant at={LastTime.AtUtc} />
              <Distance at={LastTime.AtUtc} from={AsOfUtc} />
            </Text>
            <Group gap="xs">
              <Status status={LastTime.Result} />
              {LastTime.Amount !== null && LastTime.CurrencyIso !== null && (
                <Money minor={LastTime.Amount} currency={LastTime.CurrencyIso} />
              )}
            </Group>
            <Text size="sm">{LastTime.Sentence}</Text>
            {LastTime.Cycle !== null && LastTime.Result === 'Completed' && (
              <CyclePush orderId={order.Id} cycle={LastTime.Cycle} />
            )}
            {LastTime.Cycle !== null && (
              <PageLink
                size="sm"
                to="/s/$siteId/scheduled-orders/$orderId"
                params={{ siteId, orderId: order.Id }}
                search={{ tab: 'cycles', cycle: LastTime.Cycle }}
                resetScroll={false}
              >
                Cycle {LastTime.Cycle} in detail
              </PageLink>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

function IfItFails({ explained: { IfItFails: then } }: Pick<NextAndLastProps, 'explained'>): ReactElement {
  return (
    <Paper component="section" aria-labelledby="if-it-fails">
      <Stack gap="xs">
        <Title order={2} id="if-it-fails">
          If it fails
        </Title>
        <Text size="sm">{then.Sentence}</Text>
        {then.Technical !== null && (
          <Text size="sm" c="dimmed">
            {then.Technical}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
