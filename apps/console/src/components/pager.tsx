import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from './icon.tsx';

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
