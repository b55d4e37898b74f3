import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';

/** Moves the clock to what comes next: an occurrence or a retry. */
export function ToNext({ siteId }: { readonly siteId: number }): ReactElement {
  const moving = useCommand({
    send: (id: number, once) =>
      ask(
        api.POST('/api/TestClock/{siteId}/Advance', {
          params: { path: { siteId: id }, header: once },
          body: { ToNext: true },
        }),
      ),
  });
  return (
    <>
      <Button variant="default" loading={moving.isPending} onClick={() => moving.mutate(siteId)}>
        To what comes next
      </Button>
      <ProblemAlert error={moving.error} />
    </>
  );
}
