import { Modal, type ModalProps } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useIsPasswordNeeded } from '../shell/password-needed.ts';
import { useIsSessionLost } from '../shell/session-lost.ts';
import { useFocusBack } from './use-focus-back.ts';

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
