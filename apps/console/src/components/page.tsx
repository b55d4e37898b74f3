import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect } from 'react';

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
