import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { saveTable } from '../../api/table.ts';
import { Icon } from '../icon.tsx';
import { ProblemAlert } from '../problem-alert.tsx';

interface CsvButtonProps {
  /** A list of the API with its query. */
  readonly path: string;
  readonly children?: string;
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1_000)} kB`;

/** Saves a list as a CSV file, and says how far it is; pressed once more, it stops. */
export function CsvButton({ path, children = 'Download CSV' }: CsvButtonProps): ReactElement {
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController | null>(null);
  const saving = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      running.current = controller;
      setBytes(0);
      await saveTable(path, setBytes, controller.signal).catch((error: unknown) => {
        if (!controller.signal.aborted) throw error;
        // Nothing was saved.
        setBytes(0);
      });
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const press = () => (saving.isPending ? running.current?.abort() : saving.mutate());
  return (
    <Stack gap="xs">
      <Button variant="default" leftSection={<Icon name="download" />} onClick={press}>
        {saving.isPending ? `Stop (${kilobytes(bytes)} so far)` : children}
      </Button>
      {saving.isSuccess && bytes > 0 && (
        <Text size="xs" c="dimmed" role="status">
          {kilobytes(bytes)} downloaded
        </Text>
      )}
      <ProblemAlert error={saving.error} />
    </Stack>
  );
}
