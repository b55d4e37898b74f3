import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactElement, type ReactNode, useId } from 'react';
import { Status } from '../../components/status.tsx';

export interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly state: 'good' | 'attention' | 'bad';
  /** What is counted. */
  readonly means: string;
  /** What to do when it is bad. */
  readonly help: string;
  /** The lists behind it. */
  readonly links?: ReactNode;
}

const STATES = {
  good: <Status status="Good" tone="good" icon="check" />,
  attention: <Status status="Look at it" tone="warning" icon="warning" />,
  bad: <Status status="Bad" tone="bad" icon="cross" />,
};

/** One figure: how it is, what it means, and what helps when it is bad. */
export function Figure({ name, value, state, means, help, links }: FigureProps): ReactElement {
  return (
    <Paper>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Title order={3} size="sm">
            {name}
          </Title>
          {STATES[state]}
        </Group>
        <Text fz="lg" fw={600} component="div">
          {value}
        </Text>
        <Text size="sm">{means}</Text>
        <Text size="sm" {...(state === 'good' ? { c: 'dimmed' } : { fw: 600 })}>
          {help}
        </Text>
        {links}
      </Stack>
    </Paper>
  );
}

interface FiguresProps {
  readonly title: string;
  readonly about: string;
  readonly figures: readonly FigureProps[];
  readonly children?: ReactNode;
}

export function Figures({ title, about, figures, children }: FiguresProps): ReactElement {
  const id = useId();
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {figures.map((figure) => (
          <Figure key={figure.name} {...figure} />
        ))}
      </SimpleGrid>
      {children}
    </Stack>
  );
}
