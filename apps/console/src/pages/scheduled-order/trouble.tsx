import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ActionButton } from '../../components/action-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Reason } from '../../components/reason.tsx';
import { HowToSettle } from '../../orders/how-to-settle.tsx';
import type { Explained, Order } from '../../orders/queries.ts';
import { type Step, troubleOf } from '../../orders/trouble.ts';
import { useSite } from '../../sites.ts';
import type { DialogName } from './search.ts';
import { useDialog } from './use-dialog.ts';

interface TroubleProps {
  readonly order: Order;
  readonly explained: Explained;
}

/** What is wrong with the order, what comes of it, and first of all the step that helps. */
export function Trouble({ order, explained }: TroubleProps): ReactElement | null {
  const trouble = troubleOf(explained);
  const { When, LastTime } = explained;
  if (trouble === null || When.Reason === 'InProgress') return null;
  return (
    <section aria-labelledby="trouble">
      {/* Its own role would be read out at every visit. */}
      <Alert role="none" color={order.Status === 'Pending' ? 'red' : 'yellow'} icon={<Icon name="warning" />}>
        <Stack gap="xs">
          <Title order={2} id="trouble">
            {trouble.code === null ? 'Somebody has to act' : <Reason code={trouble.code} message={trouble.message} />}
          </Title>
          <Text size="sm">{When.Sentence}</Text>
          {trouble.step === 'settle' && <HowToSettle orderId={order.Id} cycle={LastTime?.Cycle ?? null} />}
          <Help step={trouble.step} explained={explained} />
        </Stack>
      </Alert>
    </section>
  );
}

/** The dialog that helps, and its button. */
const DIALOGS: Partial<Record<Step, readonly [DialogName, string]>> = {
  payment: ['payment', 'Change the payment method'],
  'add-item': ['add-item', 'Add an item'],
  address: ['address', 'Change the address'],
  schedule: ['schedule', 'Change the schedule'],
  activate: ['activate', 'Activate'],
};

function Help({ step, explained }: { readonly step: Step; readonly explained: Explained }): ReactElement | null {
  const { open } = useDialog();
  const process = explained.MayNow.find(({ Action }) => Action === 'Process');
  const dialog = DIALOGS[step];
  const isAfterwards = explained.LastTime !== null && step !== 'activate' && step !== 'schedule';
  return (
    <Group align="flex-start" gap="sm">
      {dialog !== undefined && <Button onClick={() => open(dialog[0])}>{dialog[1]}</Button>}
      <HelpElsewhere step={step} />
      {step !== 'settle' && step !== 'wait' && isAfterwards && process !== undefined && (
        <ActionButton
          variant={step === 'process' ? 'filled' : 'default'}
          onClick={() => open('process')}
          whyNot={process.Allowed ? null : process.Because}
        >
          {step === 'process' ? 'Process now' : 'Then process now'}
        </ActionButton>
      )}
    </Group>
  );
}

function HelpElsewhere({ step }: { readonly step: Step }): ReactElement | null {
  const { id: siteId } = useSite();
  if (step === 'payments-page') {
    return (
      <Button renderRoot={(props) => <Link to="/s/$siteId/payments" params={{ siteId }} {...props} />}>
        Look at the payment integrations
      </Button>
    );
  }
  if (step === 'differences') {
    return (
      <Button renderRoot={(props) => <Link to="/s/$siteId/differences" params={{ siteId }} {...props} />}>
        Look at the differences
      </Button>
    );
  }
  if (step === 'contents') {
    return (
      <Button
        renderRoot={(props) => (
          <Link to="." search={(before) => ({ ...before, tab: 'contents' as const })} hash="contents" {...props} />
        )}
      >
        Look at the items
      </Button>
    );
  }
  return null;
}
