import { Code, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';

interface HowToSettleProps {
  readonly orderId: number;
  readonly cycle: number | null;
}

/** The decision needs somebody who has seen the gateway: it is stored by a command, not here. */
export function HowToSettle({ orderId, cycle }: HowToSettleProps): ReactElement {
  const command = `scheduled-orders cycles:resolve --order ${orderId} --cycle ${cycle ?? '<number>'}`;
  return (
    <Stack gap={4}>
      <Text size="sm">
        The service looks this charge up at the gateway until it knows. It is never sent again before that, so nothing
        has to be done. If you have seen at the gateway what became of it, one of these commands says so:
      </Text>
      <Code block tabIndex={0}>{`${command} --charged <transaction>\n${command} --not-charged`}</Code>
      <Text size="sm">
        <code>scheduled-orders cycles:stuck --state Unknown</code> lists all of them with their reasons.
      </Text>
    </Stack>
  );
}
