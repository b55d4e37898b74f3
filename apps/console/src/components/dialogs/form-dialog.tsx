import { Alert, Button, Group, type ModalProps, Stack, Text } from '@mantine/core';
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { mayAskToStay, useUnsaved } from '../../shell/unsaved.ts';
import { Icon } from '../icon.tsx';
import { ProblemAlert } from '../problem-alert.tsx';
import { Dialog, OpenAgain } from './dialog.tsx';

interface FormDialogProps extends Pick<ModalProps, 'size'> {
  readonly title: string;
  readonly children: ReactNode;
  /** What the fields hold. When it is another than at the opening, closing asks first. */
  readonly values: unknown;
  /** What the button does: `Save`, never `OK`. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Fields that show their faults themselves. */
  readonly shownFields?: readonly string[];
  /** Why there is nothing to send; null: there is. */
  readonly whyNot?: string | null;
  /** It is a change of what was read when it was opened: after a 409 it has to be opened again. */
  readonly isOfVersion?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Beside the button. */
  readonly more?: ReactNode;
}

/** Back and Forward. The dialog itself goes on by other steps. */
const isTravel: ShouldBlockFn = ({ action }) => action !== 'PUSH' && action !== 'REPLACE';

/** Nothing that is typed is dropped without a question. */
function useClosing(values: unknown, onClose: () => void) {
  const written = JSON.stringify(values);
  const [begun] = useState(written);
  const isChanged = written !== begun;
  const [isAsking, setAsking] = useState(false);
  useUnsaved(isChanged);
  const travel = useBlocker({
    shouldBlockFn: isTravel,
    disabled: !isChanged,
    enableBeforeUnload: mayAskToStay,
    withResolver: true,
  });
  return {
    isAsking: isAsking || travel.status === 'blocked',
    close: () => (isChanged ? setAsking(true) : onClose()),
    stay: () => {
      setAsking(false);
      travel.reset?.();
    },
    discard: () => (travel.status === 'blocked' ? travel.proceed() : onClose()),
  };
}

export const NOTHING_CHANGED = 'Nothing is changed.';

/** A change that needs more than a yes. It is open as long as it is shown. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, children, values, verb, isBusy, error, shownFields = [], more, size = 'lg' } = props;
  const { whyNot = null, isOfVersion = false, onSubmit, onClose } = props;
  const { isAsking, close, stay, discard } = useClosing(values, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (whyNot === null && !isBusy) onSubmit();
  };
  return (
    <Dialog title={title} size={size} isBusy={isBusy} closeOnClickOutside={false} onClose={close}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children}
          <ProblemAlert error={error} shownFields={shownFields} />
          {isOfVersion && <OpenAgain error={error} />}
          {isAsking && !isBusy ? (
            <DiscardQuestion onStay={stay} onDiscard={discard} />
          ) : (
            <Group justify="flex-end">
              {whyNot !== null && (
                <Text size="sm" c="dimmed" role="status">
                  {whyNot}
                </Text>
              )}
              <Button variant="default" disabled={isBusy} onClick={close}>
                Cancel
              </Button>
              {more}
              <Button type="submit" loading={isBusy} {...(whyNot === null ? {} : UNAVAILABLE)}>
                {verb}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

/** It keeps its place in the order of keys: what is `disabled` has none. */
const UNAVAILABLE = { 'aria-disabled': true, 'data-disabled': true };

interface DiscardQuestionProps {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** In the place of a dialog's buttons, when it is to be closed with changes in it. */
function DiscardQuestion({ onStay, onDiscard }: DiscardQuestionProps): ReactElement {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title="Close without saving?" role="alert">
      <Text size="sm">What you have typed here is not saved.</Text>
      <Group justify="flex-end" mt="xs">
        <Button ref={stay} variant="default" onClick={onStay}>
          Keep editing
        </Button>
        <Button color="red.9" onClick={onDiscard}>
          Discard it
        </Button>
      </Group>
    </Alert>
  );
}
