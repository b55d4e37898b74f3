import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { ActionButton } from '../../components/action-button.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import type { Explained } from '../../orders/queries.ts';
import type { DialogName } from './search.ts';
import { useDialog } from './use-dialog.ts';

type Action = Explained['MayNow'][number];

const LOOKS: Readonly<Record<Action['Action'], readonly [DialogName, string, IconName]>> = {
  Skip: ['skip', 'Skip the next one', 'skip'],
  Process: ['process', 'Process now', 'repeat'],
  Pause: ['pause', 'Pause', 'pause'],
  Activate: ['activate', 'Activate', 'check'],
  Reschedule: ['reschedule', 'Reschedule', 'calendar'],
  Cancel: ['cancel', 'Cancel for good', 'cross'],
  Reactivate: ['reactivate', 'Take the cancellation back', 'repeat'],
};

/** What may be done now, and what would come of it; of everything else why not, and until when. */
export function Actions({ explained }: { readonly explained: Explained }): ReactElement {
  const done = explained.When.Reason === 'Cancelled' ? 'Cancel' : 'Reactivate';
  return (
    <Paper component="section" aria-labelledby="actions">
      <Title order={2} id="actions" mb="sm">
        What you can do
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 6 }}>
        {explained.MayNow.filter(({ Action }) => Action !== done).map((action) => (
          <OneAction key={action.Action} action={action} />
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function OneAction({ action: { Action, Allowed, Because } }: { readonly action: Action }): ReactElement {
  const { open } = useDialog();
  const [dialog, words, icon] = LOOKS[Action];
  return (
    <Stack gap={4} align="flex-start">
      <ActionButton
        variant="default"
        leftSection={<Icon name={icon} size={16} />}
        whyNot={Allowed ? null : Because}
        onClick={() => open(dialog)}
      >
        {words}
      </ActionButton>
      {Allowed && <Text className="why-not">{Because}</Text>}
    </Stack>
  );
}
