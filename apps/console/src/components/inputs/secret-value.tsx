import { Button, Group, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { Icon } from '../icon.tsx';

interface SecretValueProps {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
}

/** A value to be kept elsewhere: to be selected whole, or copied. Browsers copy on https and on this machine only. */
export function SecretValue({ label, value, description }: SecretValueProps): ReactElement {
  const { copy, copied, error } = useClipboard({ timeout: 5_000 });
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        flex={1}
        readOnly
        label={label}
        description={error === null ? description : 'The browser does not copy it: select it, and copy it by hand.'}
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Button
        variant="default"
        aria-label={`Copy: ${label}`}
        leftSection={copied ? <Icon name="check" /> : undefined}
        onClick={() => copy(value)}
      >
        <span role="status">{copied ? 'Copied' : 'Copy'}</span>
      </Button>
    </Group>
  );
}
