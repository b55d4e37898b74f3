import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { type Once, useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { ProblemDialog } from '../../components/dialogs/dialog.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { type Push, pushQuery, WhatCameOfIt } from '../../orders/push-parts.tsx';
import { notify } from '../../shell/notify.ts';
import { usePlace } from './use-place.ts';

/** Which push a dialog is about. */
interface PushKey {
  readonly scheduledOrderId: number;
  readonly cycle: number;
}

const TITLES = {
  retry: 'Push it again?',
  accept: 'Accept it as it is?',
  link: 'Link it to an order of the shop',
} as const;

/** The one that is open over the list. */
export function PushDialogs(): ReactElement | null {
  const { dialog, order, cycle } = usePlace();
  if (order === undefined || cycle === undefined) return null;
  const named = { scheduledOrderId: order, cycle };
  switch (dialog) {
    case 'retry':
    case 'accept':
      return <PushDialog key={dialog} named={named} dialog={dialog} />;
    case 'link':
      return <LinkDialog named={named} />;
    default:
      return null;
  }
}

const WHAT = {
  retry: {
    send: (path: PushKey, header: Once) =>
      ask(api.POST('/api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Retry', { params: { path, header } })),
    verb: 'Push again',
    done: 'It is pushed again now.',
    then: 'The service first looks whether the shop has it by now. What stands there is compared once more. It makes the order only where there is none, and has it paid there: nothing is charged.',
  },
  accept: {
    send: (path: PushKey, header: Once) =>
      ask(api.POST('/api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Accept', { params: { path, header } })),
    verb: 'Accept',
    done: 'It is accepted.',
    then: 'The order of the shop stays as it is, and counts as pushed. Nothing is changed there, and nothing is charged or refunded. What is wrong in it, correct in the shop.',
  },
} as const;

interface PushDialogProps {
  readonly named: PushKey;
  readonly dialog: keyof typeof WHAT;
}

function PushDialog({ named, dialog }: PushDialogProps): ReactElement | null {
  const { close } = usePlace();
  const push = useQuery(pushQuery(named));
  const { send, verb, done, then } = WHAT[dialog];
  const sending = useCommand({
    send,
    onDone: () => {
      void notify({ message: done });
      close();
    },
  });
  if (push.error !== null)
    return (
      <ProblemDialog title={TITLES[dialog]} error={push.error} onRetry={() => void push.refetch()} onClose={close} />
    );
  return (
    <ConfirmDialog
      isOpen
      title={TITLES[dialog]}
      verb={verb}
      isBusy={sending.isPending}
      error={sending.error}
      onConfirm={() => sending.mutate(named)}
      onClose={close}
    >
      <Stack gap="xs">
        <About named={named} push={push.data} />
        <Text size="sm">{then}</Text>
      </Stack>
    </ConfirmDialog>
  );
}

function LinkDialog({ named }: { readonly named: PushKey }): ReactElement {
  const { close } = usePlace();
  const push = useQuery(pushQuery(named));
  const [id, setId] = useState('');
  const linking = useCommand({
    send: (ShopOrderId: string, once) =>
      ask(
        api.POST('/api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Link', {
          params: { path: named, header: once },
          body: { ShopOrderId },
        }),
      ),
    onDone: () => {
      void notify({ message: 'It is linked.' });
      close();
    },
  });
  return (
    <FormDialog
      title={TITLES.link}
      verb="Link"
      values={id}
      whyNot={id.trim() === '' ? 'Enter the id of the order in the shop.' : null}
      isBusy={linking.isPending}
      error={linking.error}
      shownFields={['ShopOrderId']}
      onSubmit={() => linking.mutate(id.trim())}
      onClose={close}
    >
      <About named={named} push={push.data} />
      <Text size="sm">
        For an order that stands in the shop already: somebody has entered it by hand, or there are two and you keep
        one. From then on that order is this one, and nothing more is pushed for it. What the service has begun for it
        in the shop, and nobody has paid, is deleted there: a customer who has paid is never asked to pay. A second one
        that is paid, cancel there.
      </Text>
      <TextInput
        label="Id of the order in the shop"
        description="In WooCommerce the number in the address of the page where one edits it."
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        error={faultOf(linking.error, 'ShopOrderId')}
        data-autofocus
      />
    </FormDialog>
  );
}

interface AboutProps {
  readonly named: PushKey;
  readonly push: Push | undefined;
}

const About = ({ named: { scheduledOrderId, cycle }, push }: AboutProps) => (
  <div>
    <Text size="sm" fw={600}>
      Scheduled order {scheduledOrderId}, cycle {cycle}
    </Text>
    {push !== undefined && <WhatCameOfIt push={push} />}
  </div>
);
