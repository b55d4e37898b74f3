import { useIdle } from '@mantine/hooks';
import { focusManager } from '@tanstack/react-query';
import { useEffect } from 'react';

const IDLE_MS = 10 * 60_000;

/**
 * Without a key or a movement for ten minutes, no page asks again by itself: else a screen that nobody looks at would
 * keep its session alive. With the next movement everything is read again.
 */
export function useRestWhenIdle(): void {
  const isIdle = useIdle(IDLE_MS, { initialState: false });
  useEffect(() => {
    // A page that has no focus is not read again.
    focusManager.setFocused(isIdle ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isIdle]);
}
