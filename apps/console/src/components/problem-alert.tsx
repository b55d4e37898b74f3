import { Alert, Button, Group, List, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { asProblem } from '../api/problem.ts';
import { Icon } from './icon.tsx';

interface ProblemAlertProps {
  /** What a query or a command failed with; nothing is shown without one. */
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Fields whose faults are shown beside them (`faultOf`); all other faults are listed here. */
  readonly shownFields?: readonly string[];
}

/** What each status means to a person; the API's own sentence follows. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Something is to be corrected',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible now',
  429: 'Too many requests',
  503: 'Not available now',
};
const BROKEN = 'Something went wrong in the service';
const AT_FIELDS = 'Correct the fields that are marked, then try again.';
const IN_LIST = 'Correct these, then try again:';

/** An error of the API in its own words, and how to go on. Screen readers say it at once. */
export function ProblemAlert({ error, onRetry, shownFields = [] }: ProblemAlertProps): ReactElement | null {
  if (error === null || error === undefined) return null;
  const problem = asProblem(error);
  // The log-in page or dialog says it (main.tsx).
  if (problem.isSessionLost) return null;
  const { message, faults, requestId, retryAfter, status, title } = problem;
  const listed = faults.filter(({ field }) => !shownFields.includes(field));
  const isAtFields = faults.length > 0 && listed.length === 0;
  return (
    <Alert
      color="red"
      icon={<Icon name="warning" />}
      title={TITLES[status] ?? (status >= 500 ? BROKEN : title)}
      role="alert"
    >
      <Text size="sm">{isAtFields ? AT_FIELDS : listed.length > 1 ? IN_LIST : message}</Text>
      {listed.length > 1 && (
        <List size="sm" mt="xs">
          {listed.map(({ field, message: fault }) => (
            <List.Item key={field + fault}>
              {field}: {fault}
            </List.Item>
          ))}
        </List>
      )}
      {retryAfter !== null && <Text size="sm">It may be asked again in {retryAfter} s.</Text>}
      {status >= 500 && requestId !== null && <Text size="xs">Request id: {requestId}</Text>}
      {onRetry !== undefined && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** The API's fault of a field, for the `error` of an input; null where it has none. */
export function faultOf(error: unknown, field: string): string | null {
  if (error === null || error === undefined) return null;
  return asProblem(error).faults.find((fault) => fault.field === field)?.message ?? null;
}
