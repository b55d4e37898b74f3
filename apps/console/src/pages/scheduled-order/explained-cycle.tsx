import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { Icon } from '../../components/icon.tsx';
import { Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant, Money } from '../../components/values.tsx';
import type { Order } from '../../orders/queries.ts';
import { QuoteLines } from '../../orders/quote-lines.tsx';
import { useSite } from '../../sites.ts';
import { CyclePush } from './cycle-push.tsx';

interface ExplainedCycleProps {
  readonly order: Order;
  readonly cycle: number;
  /** Of its amounts, which the order’s may not be any more; undefined while it is not known. */
  readonly currency: string | undefined;
  /** So it may be in the shop. */
  readonly isCharged: boolean;
}

/** Why a past charge was what it was: calculated again with the prices of that time, beside what was recorded. */
export function ExplainedCycle({ order, cycle, currency, isCharged }: ExplainedCycleProps): ReactElement {
  const { id: siteId } = useSite();
  const explained = useQuery({
    queryKey: ['scheduled-order', order.Id, 'cycle', cycle],
    queryFn: ({ signal }) =>
      ask(
        api.GET('/api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Explain', {
          params: { path: { scheduledOrderId: order.Id, cycle } },
          signal,
        }),
      ),
  });
  return (
    <Paper component="section" aria-labelledby="explained-cycle">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} id="explained-cycle">
            Cycle {cycle} explained
          </Title>
          <PageLink
            to="/s/$siteId/scheduled-orders/$orderId"
            params={{ siteId, orderId: order.Id }}
            search={{ tab: 'cycles' }}
            resetScroll={false}
          >
            Close
          </PageLink>
        </Group>
        {isCharged && <CyclePush orderId={order.Id} cycle={cycle} isWhole />}
        <ProblemAlert error={explained.error} onRetry={() => void explained.refetch()} />
        {(explained.isPending || (explained.isSuccess && currency === undefined)) && <Loading />}
        {explained.data !== undefined && currency !== undefined && (
          <Explanation explained={explained.data} currency={currency} />
        )}
      </Stack>
    </Paper>
  );
}

interface ExplanationProps {
  readonly explained: Resource<'ExplainedCycle'>;
  readonly currency: string;
}

function Explanation({ explained, currency }: ExplanationProps): ReactElement {
  const { AtUtc, Equal, Because, Quote, Recorded, RatesVersion } = explained;
  return (
    <>
      <Text size="sm">
        Priced at <Instant at={AtUtc} />
        {RatesVersion !== null && `, with version ${RatesVersion} of the shop’s prices, rates and settings`}.
      </Text>
      <Group gap="xs">
        {Equal !== null && (
          <Status
            status={Equal ? 'Equal' : 'Different'}
            tone={Equal ? 'good' : 'warning'}
            icon={Equal ? 'check' : 'question'}
            words={Equal ? 'Calculated again: the same' : 'Calculated again: not the same'}
          />
        )}
        {Recorded.Total !== null && (
          <Text size="sm">
            Recorded: <Money minor={Recorded.Total} currency={currency} />
          </Text>
        )}
        {Quote !== null && (
          <Text size="sm">
            Calculated: <Money minor={Quote.Total} currency={currency} />
          </Text>
        )}
      </Group>
      {Because !== null && (
        <Alert color="blue" icon={<Icon name="info" />}>
          {Because}
        </Alert>
      )}
      {Quote !== null && <QuoteLines quote={Quote} currency={currency} nameOf={() => null} />}
    </>
  );
}
