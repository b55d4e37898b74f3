import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useDialog } from './use-dialog.ts';

interface FormDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button does. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Fields that show their faults themselves. */
  readonly shownFields?: readonly string[];
  readonly onSubmit: () => void;
  /** Beside the button. */
  readonly more?: ReactNode;
}

/** A change that needs more than a yes. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, children, verb, isBusy, error, shownFields = [], onSubmit, more } = props;
  const { close } = useDialog();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <ProblemAlert error={error} shownFields={shownFields} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            {more}
            <Button type="submit" loading={isBusy}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
