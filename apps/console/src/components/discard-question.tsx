import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactElement, useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

interface DiscardQuestionProps {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** In the place of a dialog's buttons, when it is to be closed with changes in it. */
export function DiscardQuestion({ onStay, onDiscard }: DiscardQuestionProps): ReactElement {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title="Close without saving?" role="alert">
      <Text size="sm">What you have typed here is not saved.</Text>
      <Group justify="flex-end" mt="xs">
        <Button ref={stay} variant="default" onClick={onStay}>
          Keep editing
        </Button>
        <Button color="red.9" onClick={onDiscard}>
          Discard it
        </Button>
      </Group>
    </Alert>
  );
}
