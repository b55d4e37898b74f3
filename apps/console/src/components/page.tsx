import { Anchor, Group, Paper, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface PageProps {
  readonly title: string;
  /** A sentence: what is seen here. */
  readonly about?: ReactNode;
  /** Beside the title: buttons and links. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its heading, and its title in the browser's tab. */
export function Page({ title, about, actions, children }: PageProps): ReactElement {
  useEffect(() => {
    document.title = `${title} · Scheduled Orders`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1}>{title}</Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

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

/** While a page or a part of it is read for the first time. */
export function Loading({ rows = 4 }: { readonly rows?: number }): ReactElement {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={28} aria-hidden />
      ))}
    </Stack>
  );
}

/** A link to a page of the console, typed by its route: `<PageLink to="/s/$siteId/customers" params={{ siteId }}>`. */
export const PageLink = createLink(Anchor<'a'>);
