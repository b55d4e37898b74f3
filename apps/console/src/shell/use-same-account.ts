import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sessionQuery } from '../api/session.ts';
import { leaveForGood } from './unsaved.ts';

/**
 * All tabs have one session. When somebody else has logged in in another one, this page is loaded anew: what it has
 * read is of the former account, and what it would send is the new one's.
 */
export function useSameAccount(): void {
  const { data: session, refetch } = useQuery(sessionQuery);
  const userId = useRef<number | null>(null);
  useEffect(() => {
    const look = () => void refetch();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [refetch]);
  useEffect(() => {
    if (session === undefined) return;
    userId.current ??= session.UserId;
    if (userId.current !== session.UserId) leaveForGood(() => location.reload());
  }, [session]);
}
