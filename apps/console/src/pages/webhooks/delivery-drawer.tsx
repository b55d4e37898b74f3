import { Code, Drawer, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { useFocusBack } from '../../components/dialogs/dialog.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import { notify } from '../../shell/notify.ts';
import { deliveryQuery } from './queries.ts';
import { DeliveryStateOf } from './states.tsx';
import { usePlace } from './use-place.ts';

type Details = Resource<'WebhookDeliveryDetails'>;

interface DeliveryDrawerProps {
  readonly siteId: number;
  readonly endpointId: number;
  readonly deliveryId: number;
}

/** One delivery: how it stands, what was sent, and each try with its answer. */
export function DeliveryDrawer({ siteId, endpointId, deliveryId }: DeliveryDrawerProps): ReactElement {
  const { go } = usePlace();
  useFocusBack();
  const one = useQuery(deliveryQuery(deliveryId));
  const isOfThis = one.data?.WebhookEndpointId === endpointId;
  return (
    <Drawer
      opened
      onClose={() => go({ delivery: undefined })}
      position="right"
      size="lg"
      title={isOfThis ? one.data?.EventType : 'Delivery'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ content: { padding: 0 }, header: { background: 'inherit' }, title: { fontWeight: 650 } }}
    >
      <ProblemAlert error={one.error} onRetry={() => void one.refetch()} />
      {one.isPending && <Loading />}
      {one.data !== undefined && !isOfThis && (
        <EmptyState icon="search" title="This endpoint has no such delivery">
          It belongs to another endpoint.
        </EmptyState>
      )}
      {one.data !== undefined && isOfThis && <Content siteId={siteId} delivery={one.data} />}
    </Drawer>
  );
}

interface ContentProps {
  readonly siteId: number;
  readonly delivery: Details;
}

function Content({ siteId, delivery }: ContentProps): ReactElement {
  const {
    State,
    Tries,
    NextAttemptUtc,
    FinishedUtc,
    ScheduledOrderId: orderId,
    EventId,
    Body,
    Attempts: tries,
  } = delivery;
  return (
    <Stack>
      <div>
        <DeliveryStateOf State={State} />
        <Text size="sm" mt="xs">
          {State === 'Waiting' && NextAttemptUtc !== null && (
            <>
              {Tries === 0 ? 'It is sent' : `It failed ${Tries === 1 ? 'once' : `${Tries} times`}, and is tried again`}{' '}
              on <Instant at={NextAttemptUtc} />.
            </>
          )}
          {State === 'Waiting' && NextAttemptUtc === null && 'It waits for an earlier event of its order.'}
          {State === 'Delivered' && (
            <>
              The receiver has it since <Instant at={FinishedUtc} />.
            </>
          )}
          {State === 'Exhausted' && (
            <>
              It was given up on <Instant at={FinishedUtc} />. Correct the receiver, then send it again.
            </>
          )}
        </Text>
      </div>
      <Resend delivery={delivery} />
      {orderId !== null && (
        <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId }} size="sm">
          The scheduled order {orderId}
        </PageLink>
      )}
      <Title order={3}>Tries</Title>
      <Attempts attempts={tries} />
      <Title order={3}>What was sent</Title>
      <Text size="sm">
        <Code>webhook-id: {EventId}</Code>
      </Text>
      {Body === null ? (
        <Text size="sm">Nothing yet: the message is written at its first try.</Text>
      ) : (
        <Code block tabIndex={0} role="region" aria-label="Body of the request">
          {indented(Body)}
        </Code>
      )}
    </Stack>
  );
}

/** Easier to read; the bytes were sent without these spaces. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Resend({ delivery }: { readonly delivery: Details }): ReactElement {
  const resending = useCommand({
    send: (webhookDeliveryId: number, once) =>
      ask(
        api.POST('/api/WebhookDelivery/{webhookDeliveryId}/Resend', {
          params: { path: { webhookDeliveryId }, header: once },
        }),
      ),
    onDone: () => void notify({ message: 'It is sent again now.' }),
  });
  return (
    <Stack gap="xs" align="flex-start">
      <ActionButton isBusy={resending.isPending} onClick={() => resending.mutate(delivery.Id)}>
        Send it again
      </ActionButton>
      <ProblemAlert error={resending.error} />
    </Stack>
  );
}

type Attempt = Resource<'WebhookAttempt'>;

/** Each try with what was answered, the last one first. */
function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactElement {
  if (attempts.length === 0) return <Text size="sm">It was not tried yet.</Text>;
  return (
    <List listStyleType="none" spacing="md">
      {attempts.toReversed().map((attempt, index) => (
        <List.Item
          key={attempt.StartedUtc}
          styles={{ itemWrapper: { display: 'block' }, itemLabel: { width: '100%' } }}
        >
          <Text size="sm">
            <Instant at={attempt.StartedUtc} />, {attempt.Milliseconds} ms <Answer attempt={attempt} />
          </Text>
          {attempt.Error !== null && <Text size="sm">{attempt.Error}</Text>}
          {attempt.Reply !== null && attempt.Reply !== '' && (
            <Code block mt={4} tabIndex={0} role="region" aria-label={`Answer ${attempts.length - index}`}>
              {attempt.Reply}
            </Code>
          )}
        </List.Item>
      ))}
    </List>
  );
}

/** A try without an error was a success. */
function Answer({ attempt: { Status: status, Error: error } }: { readonly attempt: Attempt }): ReactElement {
  const words = status === null ? 'No answer' : `Answered ${status}`;
  return error === null ? (
    <Status status="Answered" tone="good" icon="check" words={words} />
  ) : (
    <Status status="Answered" tone="bad" icon="cross" words={words} />
  );
}
