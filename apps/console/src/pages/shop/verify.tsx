import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Icon } from '../../components/icon.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import type { Shop } from './queries.ts';

type Verification = Resource<'ShopVerification'>;

interface VerifyProps {
  readonly siteId: number;
  readonly shop: Shop;
}

/** The third step: looks at everything that a push depends on, and says what agrees and what to do. */
export function Verify({ siteId, shop }: VerifyProps): ReactElement {
  const verifying = useCommand<void, Verification>({
    send: (_, once) => ask(api.POST('/api/Site/{siteId}/Shop/Verify', { params: { path: { siteId }, header: once } })),
  });
  // Of a shop that was changed since, it is Unverified again.
  const found = verifying.data?.State === shop.State ? verifying.data.Findings : null;
  return (
    <Paper component="section" aria-labelledby="verify">
      <Stack>
        <div>
          <Title order={2} id="verify">
            3. Verify
          </Title>
          <Text size="sm" c="dimmed">
            {shop.Receiver === 'Http'
              ? 'Asks the receiver for an order that nobody has, and sends it one without items: nothing is made.'
              : 'Looks at the keys, the settings and the products of the shop. It makes one unpaid order there, of which nobody is told, and deletes it.'}
          </Text>
        </div>
        <Group>
          <Button loading={verifying.isPending} onClick={() => verifying.mutate()}>
            Verify the shop
          </Button>
        </Group>
        <ProblemAlert error={verifying.error} />
        {found !== null && <Findings findings={found} />}
      </Stack>
    </Paper>
  );
}

type Finding = Verification['Findings'][number];

/** What does not agree comes first. */
function Findings({ findings }: { readonly findings: readonly Finding[] }): ReactElement {
  const wrong = findings.filter(({ Agrees }) => !Agrees);
  return (
    <>
      {wrong.length === 0 ? (
        <Alert role="status" color="green" icon={<Icon name="check" />} title="Everything agrees">
          Orders that waited for the shop are pushed now.
        </Alert>
      ) : (
        <Alert role="alert" color="yellow" icon={<Icon name="warning" />} title={countOf(wrong.length)}>
          Each says below what to do. Correct it, then verify again.
        </Alert>
      )}
      <List listStyleType="none" spacing="sm" aria-label="What was found">
        {[...wrong, ...findings.filter(({ Agrees }) => Agrees)].map(({ Check, Agrees, Message }) => (
          <List.Item key={Check}>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {Check}
              </Text>
              {Agrees ? (
                <Status status="Agrees" tone="good" icon="check" />
              ) : (
                <Status status="Differs" tone="warning" icon="warning" words="Look at it" />
              )}
            </Group>
            <Text size="sm" className="breakable">
              {Message}
            </Text>
          </List.Item>
        ))}
      </List>
    </>
  );
}

const countOf = (wrong: number) => (wrong === 1 ? 'One thing does not agree' : `${wrong} things do not agree`);
