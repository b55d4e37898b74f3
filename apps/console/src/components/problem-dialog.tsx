import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Dialog } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface ProblemDialogProps {
  readonly title: string;
  /** What its record could not be read with; null: it was read, and is of another shop. */
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** In the place of a dialog that has nothing to be about. */
export function ProblemDialog({ title, error, onRetry, onClose }: ProblemDialogProps): ReactElement {
  return (
    <Dialog title={title} onClose={onClose}>
      {error === null ? (
        <Text size="sm">This shop has no such record: it was deleted, or belongs to another shop.</Text>
      ) : (
        <ProblemAlert error={error} onRetry={onRetry} />
      )}
    </Dialog>
  );
}
