import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { reasonOf } from '../reasons.ts';

interface ReasonProps {
  readonly code: number | null | undefined;
  /** What the gateway or the API said of it, if it did. */
  readonly said?: string | null | undefined;
  /** Also what happens then. */
  readonly withThen?: boolean;
}

/** Why something failed, in words, with the code that the documentation has it under. */
export function Reason({ code, said, withThen = false }: ReasonProps): ReactElement {
  if (code === null || code === undefined) return <>–</>;
  const { words, then } = reasonOf(code);
  return (
    <span>
      {words}{' '}
      <Text span size="xs" c="dimmed">
        ({code})
      </Text>
      {typeof said === 'string' && said !== '' && (
        <Text size="sm" c="dimmed">
          “{said}”
        </Text>
      )}
      {withThen && <Text size="sm">{then}</Text>}
    </span>
  );
}
