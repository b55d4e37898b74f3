import { Text } from '@mantine/core';
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { type ReactElement, useCallback } from 'react';
import { mayAskToStay, useUnsaved } from '../../shell/unsaved.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface LeaveGuardProps {
  readonly isChanged: boolean;
  /** The parameter of the address that names what the form is of, if one does. */
  readonly record?: 'product' | 'rate' | 'tab';
}

/** Asks before a page is left whose form holds what is not saved. What is stored goes on with `ignoreBlocker`. */
export function LeaveGuard({ isChanged, record }: LeaveGuardProps): ReactElement | null {
  const leaves = useCallback<ShouldBlockFn>(
    ({ current, next }) =>
      current.pathname !== next.pathname ||
      (record !== undefined && parameterOf(current, record) !== parameterOf(next, record)),
    [record],
  );
  useUnsaved(isChanged);
  const blocker = useBlocker({
    shouldBlockFn: leaves,
    disabled: !isChanged,
    enableBeforeUnload: mayAskToStay,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title="Leave without saving?"
      verb="Leave"
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <Text size="sm">What you have typed here is not saved.</Text>
    </ConfirmDialog>
  );
}

const parameterOf = ({ search }: { readonly search: object }, name: string) =>
  (search as Record<string, unknown>)[name];
