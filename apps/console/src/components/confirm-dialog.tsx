import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

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
  /** What the command failed with. */
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that costs money or cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { isOpen, title, children, verb, isDangerous = false, isBusy = false, error, onConfirm, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        <ProblemAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color={isDangerous ? 'red.9' : 'brand'} loading={isBusy} onClick={onConfirm}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
