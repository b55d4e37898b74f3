import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Instant } from '../../components/values.tsx';
import type { Endpoint } from './queries.ts';
import { EndpointState } from './states.tsx';

/** What it is set to. */
export function EndpointFacts({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { EventTypes, Payload, Ordered, RatePerSecond, CreatedUtc } = endpoint;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['State', <EndpointState endpoint={endpoint} />],
    ['Events', EventTypes.length === 0 ? 'All' : EventTypes.join(', ')],
    ['A message carries', Payload === 'Thin' ? 'The facts of the event' : 'The facts, and the scheduled order'],
    ['Order of messages', Ordered ? 'As the events of each scheduled order happened' : 'As they come'],
    ['At most', `${RatePerSecond} a second`],
    ['Made', <Instant at={CreatedUtc} />],
  ];
  return (
    <Paper>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
