import { Button, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ListedPush } from './queries.ts';
import { usePlace } from './use-place.ts';

const WORDS = { retry: 'Push again', accept: 'Accept', link: 'Link' } as const;
type Action = keyof typeof WORDS;

/** What a person can do about it. While it is under way, it helps itself. */
const HELP: Partial<Readonly<Record<ListedPush['State'], readonly Action[]>>> = {
  Waiting: ['retry'],
  Differs: ['accept', 'link', 'retry'],
  Failed: ['retry', 'link'],
};

/** Each leads to a dialog that says what it does. */
export function PushActions({ push }: { readonly push: ListedPush }): ReactElement | null {
  const { go } = usePlace();
  const { ScheduledOrderId: order, Cycle: cycle, State } = push;
  const actions = HELP[State] ?? [];
  if (actions.length === 0) return null;
  return (
    <Group gap="xs">
      {actions.map((dialog, index) => (
        <Button
          key={dialog}
          size="compact-sm"
          variant={index === 0 && State !== 'Waiting' ? 'filled' : 'default'}
          aria-label={`${WORDS[dialog]}: order ${order}, cycle ${cycle}`}
          onClick={() => go({ dialog, order, cycle })}
        >
          {WORDS[dialog]}
        </Button>
      ))}
    </Group>
  );
}
