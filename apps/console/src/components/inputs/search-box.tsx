import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactElement, useState } from 'react';

interface SearchBoxProps {
  /** What is found with it, for screen readers. */
  readonly label: string;
  /** What one may type. */
  readonly description: string;
  readonly q: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
}

/** A search that starts when it is sent. Give it `key={q}`, so that the browser's Back changes its text, too. */
export function SearchBox({ label, description, q, onSearch }: SearchBoxProps): ReactElement {
  const [typed, setTyped] = useState(q ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim() === '' ? undefined : typed.trim());
  };
  return (
    <search aria-label={label}>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          label="Search"
          description={description}
          inputWrapperOrder={['label', 'input', 'description']}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          inputContainer={(input) => (
            <Group wrap="nowrap" gap="xs" align="flex-start">
              <div style={{ flex: 1 }}>{input}</div>
              <Button type="submit">Search</Button>
            </Group>
          )}
        />
      </form>
    </search>
  );
}
