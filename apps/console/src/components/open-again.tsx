import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { asProblem } from '../api/problem.ts';

/** Below a 409 in a dialog that is about what was read when it was opened: sent again, it would be refused again. */
export function OpenAgain({ error }: { readonly error: unknown }): ReactElement | null {
  if (error === null || error === undefined || asProblem(error).status !== 409) return null;
  return <Text size="sm">What is there now has been read. Close this and open it again to go on from there.</Text>;
}
