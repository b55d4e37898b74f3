import { Modal, type ModalProps, Text } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { asProblem } from '../../api/problem.ts';
import { useIsPasswordNeeded, useIsSessionLost } from '../../shell/session-state.ts';
import { ProblemAlert } from '../problem-alert.tsx';

interface DialogProps extends Pick<ModalProps, 'size' | 'closeOnClickOutside'> {
  readonly title: string;
  readonly children: ReactNode;
  /** While its command runs it stays, so that nobody misses what came of it. */
  readonly isBusy?: boolean;
  readonly onClose: () => void;
}

/** It is open as long as it is shown. */
export function Dialog({ isBusy = false, closeOnClickOutside = true, ...props }: DialogProps): ReactElement {
  useFocusBack();
  // Escape in the dialog that asks for the password above is not meant for this one.
  const [isLost, isNeeded] = [useIsSessionLost(), useIsPasswordNeeded()];
  const isCovered = isLost || isNeeded;
  return (
    <Modal
      opened
      closeOnEscape={!isBusy && !isCovered}
      closeOnClickOutside={closeOnClickOutside && !isBusy && !isCovered}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isBusy }}
      {...props}
    />
  );
}

/** Below a 409 in a dialog that is about what was read when it was opened: sent again, it would be refused again. */
export function OpenAgain({ error }: { readonly error: unknown }): ReactElement | null {
  if (error === null || error === undefined || asProblem(error).status !== 409) return null;
  return <Text size="sm">What is there now has been read. Close this and open it again to go on from there.</Text>;
}

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

/** What had the focus before any dialog was open: a dialog that follows another one leads back to it, too. */
let opener: Element | null = null;

function rememberedOpener(): Element | null {
  if (document.querySelector('[aria-modal="true"]') === null) opener = document.activeElement;
  return opener;
}

/**
 * For what is open as long as it is shown: when it goes, the focus is again where it was, or at the page’s content
 * where that is gone. Mantine’s own return of the focus needs a dialog that stays mounted.
 */
export function useFocusBack(): void {
  const [before] = useState(rememberedOpener);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      if (before === document.body || document.activeElement !== before)
        document.getElementById('content')?.focus({ preventScroll: true });
    },
    [before],
  );
}
