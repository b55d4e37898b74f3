import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../icon.tsx';

interface PagerProps {
  /** The cursor in this page's address. */
  readonly cursor: string | undefined;
  /** `next` of the page that `askPage` gave. */
  readonly next: string | null | undefined;
}

/** Leads through a list by its cursor, which is in the address: the browser's Back leads to the page before. */
export function Pager({ cursor, next }: PagerProps): ReactElement | null {
  const isFirst = cursor === undefined;
  if (isFirst && (next === null || next === undefined)) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" justify="flex-end" gap="xs">
      {!isFirst && (
        <Button renderRoot={(props) => <Link to="." search={withCursor(undefined)} {...props} />} variant="default">
          First page
        </Button>
      )}
      {typeof next === 'string' && (
        <Button
          renderRoot={(props) => <Link to="." search={withCursor(next)} {...props} />}
          variant="default"
          rightSection={<Icon name="next" />}
        >
          Next page
        </Button>
      )}
    </Group>
  );
}

/** The pager works on every route with a `cursor`, so it cannot know the type of one. */
const withCursor = (cursor: string | undefined) => ((search: object) => ({ ...search, cursor })) as never;

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
