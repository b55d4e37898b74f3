import { Button, Group, type ModalProps, Stack } from '@mantine/core';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface FormDialogProps extends Pick<ModalProps, 'size'> {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button does: `Save`, never `OK`. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Fields that show their faults themselves. */
  readonly shownFields?: readonly string[];
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Beside the button. */
  readonly more?: ReactNode;
}

/** A change that needs more than a yes. It is open as long as it is shown. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, children, verb, isBusy, error, shownFields = [], onSubmit, onClose, more, size = 'lg' } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} size={size} isBusy={isBusy} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children}
          <ProblemAlert error={error} shownFields={shownFields} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              Cancel
            </Button>
            {more}
            <Button type="submit" loading={isBusy}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
