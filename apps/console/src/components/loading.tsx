import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';

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
