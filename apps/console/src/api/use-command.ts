import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '../shell/notify.ts';
import { ApiProblem } from './problem.ts';
import { newOnce, type Once } from './unsettled.ts';

export type { Once };

interface Command<V, T> {
  /** Sends the request; a POST with `once` as its headers. */
  readonly send: (what: V, once: Once) => Promise<T>;
  /** What is sent or answered has a secret in it: nothing of it is kept after its page. */
  readonly isSecret?: boolean;
  /** Not called where one has gone elsewhere meanwhile: it would close or open what is there. */
  readonly onDone?: (answer: T, what: V) => void;
}

/**
 * A change. Sent again after no answer, the same change has the same Idempotency-Key, so that it happens once
 * (unsettled.ts). Everything that is shown is read again afterwards, also when nobody knows what came of it, or
 * somebody else was faster. A failure that nobody would see any more is shown as a notice.
 */
export function useCommand<V, T>({
  send,
  isSecret = false,
  onDone,
}: Command<V, T>): UseMutationResult<T, ApiProblem, V> {
  const client = useQueryClient();
  const isShown = useIsShown();
  return useMutation<T, ApiProblem, V>({
    ...(isSecret && { gcTime: 0 }),
    mutationFn: (what) => send(what, newOnce(isSecret)),
    onSuccess: async (answer, what) => {
      const wasShown = isShown();
      const { href } = window.location;
      await client.invalidateQueries();
      // What was read again may have taken the place of the button itself: of a deleted order, of a removed item.
      if (wasShown && (isShown() || window.location.href === href)) onDone?.(answer, what);
    },
    onError: (error) => {
      const { title, message, isSessionLost } = error;
      if (isOutOfDate(error)) void client.invalidateQueries();
      if (!isShown() && !isSessionLost) void notify({ color: 'red', title, message, autoClose: false });
    },
  });
}

/** Whether what is shown may not be true any more: it was changed after all, or by somebody else. */
const isOutOfDate = (error: ApiProblem) =>
  !(error instanceof ApiProblem) || error.isOutcomeUnknown || error.status === 404 || error.status === 409;

function useIsShown(): () => boolean {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
