import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

interface NumberedPagerProps {
  readonly page: number;
  readonly next: string | null | undefined;
}

const withPage = (page: number) => ((search: object) => ({ ...search, page: page > 1 ? page : undefined })) as never;

/** For the lists of the API that have pages by number. */
export function NumberedPager({ page, next }: NumberedPagerProps): ReactElement | null {
  if (page === 1 && typeof next !== 'string') return null;
  const link = (to: number, words: string) => (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="." search={withPage(to)} resetScroll={false} {...props} />}
    >
      {words}
    </Button>
  );
  return (
    <Group component="nav" aria-label="Pages of the list" justify="flex-end" gap="xs">
      {page > 1 && link(page - 1, 'Newer')}
      {typeof next === 'string' && link(page + 1, 'Older')}
    </Group>
  );
}
