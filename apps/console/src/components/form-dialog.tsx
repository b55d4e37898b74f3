import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

interface FormDialogProps extends Pick<ModalProps, 'size'> {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button does: `Save`, never `OK`. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Fields that show their faults themselves. */
  readonly shownFields: readonly string[];
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A change that needs more than a yes. It is open as long as it is shown. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, children, verb, isBusy, error, shownFields, onSubmit, onClose, size = 'lg' } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children}
          <ProblemAlert error={error} shownFields={shownFields} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
