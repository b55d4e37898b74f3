import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { reasonOf } from '../reasons.ts';

interface ReasonProps {
  readonly code: number | null | undefined;
  /** What the gateway or the API says of it, if it does. */
  readonly message?: string | null | undefined;
  /** Also what happens then. */
  readonly withThen?: boolean;
}

/** Why something failed, in words, with the code that the documentation has it under. */
export function Reason({ code, message, withThen = false }: ReasonProps): ReactElement {
  if (code === null || code === undefined) return <>–</>;
  const { words, then } = reasonOf(code);
  return (
    <span>
      {words}{' '}
      <Text span size="xs" c="dimmed">
        ({code})
      </Text>
      {typeof message === 'string' && message !== '' && (
        <Text size="sm" c="dimmed">
          “{message}”
        </Text>
      )}
      {withThen && <Text size="sm">{then}</Text>}
    </span>
  );
}
