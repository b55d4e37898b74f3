import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '../shell/notify.ts';
import { ApiProblem } from './problem.ts';

/** For the `headers` of a POST. */
export interface Once {
  readonly 'Idempotency-Key': string;
}

/** Also where the page is not served over https, and `randomUUID` is missing. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

interface Command<V, T> {
  /** Sends the request; a POST with `once` as its headers. */
  readonly send: (what: V, once: Once) => Promise<T>;
  /** What is sent or answered has a secret in it: nothing of it is kept after its page. */
  readonly isSecret?: boolean;
  /** Not called where one has gone elsewhere meanwhile: it would close or open what is there. */
  readonly onDone?: (answer: T, what: V) => void;
}

/**
 * A change. Sent again after no answer, the same change has the same Idempotency-Key, so that it happens once.
 * Everything that is shown is read again afterwards. A failure that nobody would see any more is told as a notice.
 */
export function useCommand<V, T>({
  send,
  isSecret = false,
  onDone,
}: Command<V, T>): UseMutationResult<T, ApiProblem, V> {
  const client = useQueryClient();
  const pending = useRef<{ readonly what: string; readonly once: Once } | null>(null);
  const isShown = useIsShown();
  return useMutation<T, ApiProblem, V>({
    ...(isSecret && { gcTime: 0 }),
    mutationFn: async (what) => {
      const written = JSON.stringify(what) ?? '';
      if (pending.current?.what !== written) pending.current = { what: written, once: { 'Idempotency-Key': newKey() } };
      try {
        const answer = await send(what, pending.current.once);
        pending.current = null;
        return answer;
      } catch (error) {
        if (!(error instanceof ApiProblem && error.isOutcomeUnknown)) pending.current = null;
        throw error;
      }
    },
    onSuccess: async (answer, what) => {
      const wasShown = isShown();
      const { href } = window.location;
      await client.invalidateQueries();
      // What was read again may have taken the place of the button itself: of a deleted order, of a removed item.
      if (wasShown && (isShown() || window.location.href === href)) onDone?.(answer, what);
    },
    onError: ({ title, message, isSessionLost }) => {
      if (!isShown() && !isSessionLost) void notify({ color: 'red', title, message, autoClose: false });
    },
  });
}

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
