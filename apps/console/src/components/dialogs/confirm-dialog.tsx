import { Button, Group, Stack } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { ProblemAlert } from '../problem-alert.tsx';
import { Dialog, OpenAgain } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  /** The question: `Delete this endpoint?` */
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly children: ReactNode;
  /** What the button does: `Delete`, never `OK`. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  /** It is about what was read when it was opened: after a 409 it has to be opened again. */
  readonly isOfVersion?: boolean;
  /** What the command failed with. */
  readonly error?: unknown;
  /** Without it there is nothing to confirm: `children` say why not. */
  readonly onConfirm: (() => void) | null;
  readonly onClose: () => void;
}

/** Asks before something that costs money or cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement | null {
  const {
    isOpen,
    title,
    children,
    verb,
    isDangerous = false,
    isBusy = false,
    isOfVersion = false,
    error,
    onConfirm,
    onClose,
  } = props;
  if (!isOpen) return null;
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <Stack>
        <div>{children}</div>
        <ProblemAlert error={error} />
        {isOfVersion && <OpenAgain error={error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={isBusy} onClick={onClose}>
            {onConfirm === null ? 'Close' : 'Cancel'}
          </Button>
          {onConfirm !== null && (
            <Button color={isDangerous ? 'red.9' : 'brand'} loading={isBusy} onClick={onConfirm}>
              {verb}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
