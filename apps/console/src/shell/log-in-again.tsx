import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Resource } from '../api/client.ts';
import { logIn, sessionQuery } from '../api/session.ts';
import { notify } from './notify.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { answerPassword, setSessionLost } from './session-state.ts';
import { leaveForGood } from './unsaved.ts';

/** What is behind is not to be read by whoever comes by. */
const OVERLAY = { blur: 12, backgroundOpacity: 0.6 };

/** The page stays for the account that it was read with, and for no other. */
function useEntering(before: Resource<'Session'> | undefined) {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (password: string) => logIn({ Email: before?.Email ?? '', Password: password }),
    onSuccess: (session) => {
      if (session.UserId !== before?.UserId) return leaveForGood(() => location.reload());
      client.setQueryData(sessionQuery.queryKey, session);
      setSessionLost(false);
      answerPassword(true);
      void client.invalidateQueries();
      return notify({ title: 'Logged in again', message: 'What you typed is still here, and not saved.' });
    },
  });
}

export function LogInAgain({ addressOfLogIn }: { readonly addressOfLogIn: () => string }): ReactElement {
  const client = useQueryClient();
  const [before] = useState(() => client.getQueryData(sessionQuery.queryKey));
  const entering = useEntering(before);
  return (
    <PasswordDialog
      title="Log in to go on"
      words="The session has ended. What you typed is kept until you leave this page."
      session={before}
      verb="Log in"
      otherwise="Leave the page"
      overlayProps={OVERLAY}
      closeOnEscape={false}
      isBusy={entering.isPending}
      error={entering.error}
      onSubmit={(password) => entering.mutate(password)}
      onClose={() => leaveForGood(() => location.assign(addressOfLogIn()))}
    />
  );
}
