import { Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  /** What is missing: `No webhook endpoints yet`. */
  readonly title: string;
  /** What it would be, and what to do next. */
  readonly children: ReactNode;
  /** The next step: a link or a button. */
  readonly action?: ReactNode;
}

/** In the place of a list that has nothing in it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactElement {
  return (
    <Paper py="xl">
      <Stack align="center" gap="xs" maw={480} mx="auto" ta="center">
        <ThemeIcon variant="light" size={48} radius="xl">
          <Icon name={icon} size={26} />
        </ThemeIcon>
        <Text fw={650}>{title}</Text>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Paper>
  );
}
