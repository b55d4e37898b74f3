import { Button, Fieldset, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { useCommand } from '../../api/use-command.ts';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { FieldInput } from './field-input.tsx';
import type { Field, Value, Values } from './fields.ts';

export interface FieldGroup {
  /** Of a part of the form, where it has parts. */
  readonly legend?: string;
  readonly fields: readonly Field[];
}

interface RecordFormProps {
  readonly title: string;
  readonly about: string;
  readonly groups: readonly FieldGroup[];
  /** As the API has them. */
  readonly stored: Values;
  /** Gets what was changed, and nothing else: somebody else may change the rest meanwhile. */
  readonly save: (changes: Values) => Promise<unknown>;
  readonly done: string;
  readonly onSaved?: () => void;
}

/** What the form shows, and what of it is to be saved. A secret is not shown, and left empty it stays. */
function typedOver(stored: Values, changes: Values, secrets: readonly string[]) {
  const isChange = (name: string, value: Value) => value !== (secrets.includes(name) ? null : stored[name]);
  return {
    shown: { ...stored, ...Object.fromEntries(secrets.map((name) => [name, null])), ...changes },
    changed: Object.fromEntries(Object.entries(changes).filter(([name, value]) => isChange(name, value))),
  };
}

const secretsOf = (groups: readonly FieldGroup[]) =>
  groups.flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name));

/** Fields of a record, each with what it does; faults are shown at their fields. */
export function RecordForm({ title, about, groups, stored, save, done, onSaved }: RecordFormProps): ReactElement {
  const id = useId();
  const [changes, setChanges] = useState<Values>({});
  const secrets = secretsOf(groups);
  const saving = useCommand({
    send: save,
    isSecret: secrets.length > 0,
    onDone: () => {
      setChanges({});
      if (secrets.length > 0) saving.reset();
      void notify({ message: done });
      onSaved?.();
    },
  });
  const { shown, changed } = typedOver(stored, changes, secrets);
  const count = Object.keys(changed).length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count > 0) saving.mutate(changed);
  };
  return (
    <Paper component="form" aria-labelledby={id} noValidate onSubmit={submit}>
      <LeaveGuard isChanged={count > 0} record="tab" />
      <Stack>
        <Heading id={id} title={title} about={about} />
        {groups.map(({ legend, fields }) => (
          <Part key={fields[0]!.name} legend={legend}>
            {fields.map((field) => (
              <FieldInput
                key={field.name}
                field={field}
                stored={stored[field.name] ?? null}
                value={shown[field.name] ?? null}
                onChange={(value) => setChanges({ ...changes, [field.name]: value })}
                error={faultOf(saving.error, field.name)}
              />
            ))}
          </Part>
        ))}
        <ProblemAlert error={saving.error} shownFields={Object.keys(stored)} />
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status">
            {count === 0 ? 'Nothing is changed.' : `${count} changed, not saved yet.`}
          </Text>
          {count > 0 && (
            <Button variant="default" onClick={() => setChanges({})}>
              Undo
            </Button>
          )}
          <Button type="submit" loading={saving.isPending} {...(count === 0 ? UNCHANGED : {})}>
            Save
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

const Heading = ({ id, title, about }: { readonly id: string; readonly title: string; readonly about: string }) => (
  <div>
    <Title order={2} id={id}>
      {title}
    </Title>
    <Text size="sm" c="dimmed">
      {about}
    </Text>
  </div>
);

/** It keeps its place in the order of keys: what is `disabled` has none. */
const UNCHANGED = { 'aria-disabled': true, 'data-disabled': true };

interface PartProps {
  readonly legend: string | undefined;
  readonly children: ReactElement[];
}

const Part = ({ legend, children }: PartProps) =>
  legend === undefined ? (
    <SimpleGrid cols={{ base: 1, md: 2 }}>{children}</SimpleGrid>
  ) : (
    <Fieldset legend={legend}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>{children}</SimpleGrid>
    </Fieldset>
  );
