import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Icon } from '../../components/icon.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import { askForPassword } from '../../shell/session-state.ts';
import { type Integration, TYPE_WORDS } from './queries.ts';

interface IntegrationCardProps {
  readonly integration: Integration;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

/** One account at a gateway, and whether it works. */
export function IntegrationCard({ integration, onChange, onRemove }: IntegrationCardProps): ReactElement {
  const { Id, PaymentMethodType: type, TestMode, UpdatedUtc } = integration;
  const verifying = useCommand<string, Verdict>({
    send: () =>
      ask(
        api.POST('/api/PaymentIntegration/{paymentIntegrationId}/Verify', {
          params: { path: { paymentIntegrationId: Id } },
        }),
      ),
  });
  // Credentials that were changed since are not those that the gateway spoke of.
  const isOfThese = verifying.variables === UpdatedUtc;
  return (
    <Paper component="section" aria-label={type}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{type}</Title>
          {TestMode ? (
            <Status status="Test mode" tone="busy" icon="clock" />
          ) : (
            <Status status="Live" tone="good" icon="card" />
          )}
        </Group>
        <Text size="sm">
          {TYPE_WORDS[type].speaks}. {TestMode ? 'No money moves.' : 'Cards are charged.'}
        </Text>
        <Keys integration={integration} />
        {integration.isHidden && <ShowKeys />}
        <Text size="sm" c="dimmed">
          Changed <Instant at={UpdatedUtc} />
        </Text>
        <Group gap="xs">
          <Button
            loading={verifying.isPending}
            onClick={() => verifying.mutate(UpdatedUtc)}
            aria-label={`Verify ${type}`}
          >
            Verify
          </Button>
          <Button variant="default" onClick={onChange} aria-label={`Change ${type}`}>
            Change
          </Button>
          <Button variant="default" onClick={onRemove} aria-label={`Remove ${type}`}>
            Remove
          </Button>
        </Group>
        <ProblemAlert error={isOfThese ? verifying.error : null} />
        {isOfThese && verifying.data !== undefined && <Verdict verdict={verifying.data} />}
      </Stack>
    </Paper>
  );
}

function Keys({ integration }: { readonly integration: Integration }): ReactElement {
  return (
    <dl className="pairs">
      {TYPE_WORDS[integration.PaymentMethodType].keys.map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{integration[name] ?? (integration.isHidden ? 'Hidden' : 'None')}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Only their ends, as ever. */
function ShowKeys(): ReactElement {
  const client = useQueryClient();
  const show = async () => {
    if (await askForPassword()) await client.invalidateQueries();
  };
  return (
    <Group>
      <Button size="compact-sm" variant="default" onClick={() => void show()}>
        Show the ends of the keys
      </Button>
    </Group>
  );
}

type Verdict = { readonly Verified: true } | { readonly Verified: false; readonly Message: string };

/** What the gateway answered, in the words of the API. */
function Verdict({ verdict }: { readonly verdict: Verdict }): ReactElement {
  return verdict.Verified ? (
    <Alert role="status" color="green" icon={<Icon name="check" />} title="It works">
      The gateway accepts the credentials. Orders that waited for it are tried again at once.
    </Alert>
  ) : (
    <Alert role="alert" color="red" icon={<Icon name="warning" />} title="It does not work">
      {verdict.Message} Change the credentials, then verify again.
    </Alert>
  );
}
