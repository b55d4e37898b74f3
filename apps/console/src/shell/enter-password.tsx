import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { confirmSession, sessionQuery } from '../api/session.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { answerPassword, useIsSessionLost } from './session-state.ts';

/** What waits for the password goes on when it is entered, and is given up when the dialog is closed. */
export function EnterPassword(): ReactElement {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const isCovered = useIsSessionLost();
  const entering = useMutation({
    gcTime: 0,
    mutationFn: confirmSession,
    onSuccess: (confirmed) => {
      client.setQueryData(sessionQuery.queryKey, confirmed);
      answerPassword(true);
    },
  });
  return (
    <PasswordDialog
      title="Enter your password"
      words="Keys, secrets, and where payments and messages go, need the password of the account. It is not asked for again for 10 minutes."
      session={session}
      verb="Go on"
      otherwise="Cancel"
      closeOnEscape={!entering.isPending && !isCovered}
      isBusy={entering.isPending}
      error={entering.error}
      onSubmit={(password) => entering.mutate(password)}
      onClose={() => answerPassword(false)}
    />
  );
}
