import { Button, type ButtonProps, Stack, Text } from '@mantine/core';
import { type ReactElement, type ReactNode, useId } from 'react';

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'leftSection' | 'fullWidth'> {
  readonly children: ReactNode;
  readonly onClick: () => void;
  /** Why it is not possible now, and until when; the button does nothing then. */
  readonly whyNot?: string | null | undefined;
  readonly isBusy?: boolean;
}

/**
 * An action. One that is not possible now says so under it. It keeps its place in the order of keys, because what is
 * `disabled` cannot be reached, and so its reason would not be heard.
 */
export function ActionButton({ children, onClick, whyNot, isBusy = false, ...look }: ActionButtonProps): ReactElement {
  const reasonId = useId();
  const isPossible = typeof whyNot !== 'string';
  const refused = { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': reasonId } as const;
  // One tree for both: another one would be another button, without the focus that this one has.
  return (
    <Stack gap={4} align="flex-start" {...(isPossible && { display: 'contents' })}>
      <Button
        {...look}
        {...(isPossible ? { loading: isBusy } : refused)}
        onClick={(event) => (isPossible ? onClick() : event.preventDefault())}
      >
        {children}
      </Button>
      {!isPossible && (
        <Text id={reasonId} className="why-not">
          {whyNot}
        </Text>
      )}
    </Stack>
  );
}
