import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { MakeKey } from './make-key.tsx';
import { Tokens } from './tokens.tsx';
import { useDialog } from './use-dialog.ts';

export function KeysPage(): ReactElement {
  const { dialog, open } = useDialog();
  return (
    <Page
      title="Keys"
      about="What reaches this account: keys for your systems, and what people and programs have logged in with."
      actions={
        <Button leftSection={<Icon name="plus" />} onClick={() => open('make')}>
          Make a key
        </Button>
      }
    >
      <ApiKeys />
      <Tokens />
      {dialog === 'make' && <MakeKey />}
    </Page>
  );
}
