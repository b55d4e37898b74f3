import { Button, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import { isGone, isUnderWay } from '../../orders/push-parts.tsx';
import type { ListedPush } from './queries.ts';
import { usePlace } from './use-place.ts';

const WORDS = { retry: 'Push again', accept: 'Accept', link: 'Link' } as const;
type Action = keyof typeof WORDS;

/** What a person can do about it: first what helps most. What is under way helps itself, only later. */
const HELP: Partial<Readonly<Record<ListedPush['State'], readonly Action[]>>> = {
  Waiting: ['retry'],
  Unknown: ['retry'],
  Differs: ['accept', 'link', 'retry'],
  Failed: ['retry', 'link'],
};

/** Each leads to a dialog that says what it does. */
export function PushActions({ push }: { readonly push: ListedPush }): ReactElement | null {
  const { go } = usePlace();
  const { ScheduledOrderId: order, Cycle: cycle, State, ShopOrderId } = push;
  const help = isGone(push) ? HELP.Failed : HELP[State];
  // There is nothing to accept where the shop has none.
  const actions = (help ?? []).filter((action) => action !== 'accept' || ShopOrderId !== null);
  if (actions.length === 0 || order === null || cycle === null) return null;
  return (
    <Group gap="xs">
      {actions.map((dialog, index) => (
        <Button
          key={dialog}
          size="compact-sm"
          variant={index === 0 && !isUnderWay(push) ? 'filled' : 'default'}
          aria-label={`${WORDS[dialog]}: order ${order}, cycle ${cycle}`}
          onClick={() => go({ dialog, order, cycle })}
        >
          {WORDS[dialog]}
        </Button>
      ))}
    </Group>
  );
}
