import { Code, List, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';

type Attempt = Resource<'WebhookAttempt'>;

/** Each try with what was answered, the last one first. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactElement {
  if (attempts.length === 0) return <Text size="sm">It was not tried yet.</Text>;
  return (
    <List listStyleType="none" spacing="md">
      {attempts.toReversed().map((attempt, index) => (
        <List.Item
          key={attempt.StartedUtc}
          styles={{ itemWrapper: { display: 'block' }, itemLabel: { width: '100%' } }}
        >
          <Text size="sm">
            <Instant at={attempt.StartedUtc} />, {attempt.Milliseconds} ms <Answer attempt={attempt} />
          </Text>
          {attempt.Error !== null && <Text size="sm">{attempt.Error}</Text>}
          {attempt.Reply !== null && attempt.Reply !== '' && (
            <Code block mt={4} tabIndex={0} role="region" aria-label={`Answer ${attempts.length - index}`}>
              {attempt.Reply}
            </Code>
          )}
        </List.Item>
      ))}
    </List>
  );
}

/** A try without an error was a success. */
function Answer({ attempt: { Status: status, Error: error } }: { readonly attempt: Attempt }): ReactElement {
  const words = status === null ? 'No answer' : `Answered ${status}`;
  return error === null ? (
    <Status status="Answered" tone="good" icon="check" words={words} />
  ) : (
    <Status status="Answered" tone="bad" icon="cross" words={words} />
  );
}
