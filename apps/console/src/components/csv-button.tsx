import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { downloadCsv } from '../api/download.ts';
import { asProblem } from '../api/problem.ts';
import { notify } from '../shell/notify.ts';
import { Icon } from './icon.tsx';

interface CsvButtonProps {
  /** The list in the API, with the filters that the page has. Empty values are left out. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Of the file, without its ending: `customers`. */
  readonly name: string;
}

/** Saves everything that the filters let through as a table, not only this page of it. */
export function CsvButton({ path, query, name }: CsvButtonProps): ReactElement {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const parameters = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  const saving = useMutation({
    mutationFn: () => downloadCsv(`${path}?${parameters.toString()}`, `${name}.csv`),
    onError: (error) => void notify({ color: 'red', title: 'Not downloaded', message: asProblem(error).message }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      CSV
    </Button>
  );
}
