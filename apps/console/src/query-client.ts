import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api/problem.ts';

const MOST_RETRIES = 2;

/** Only what may go better the next time is retried. */
const isPassing = (error: unknown) => error instanceof ApiProblem && (error.status === 0 || error.status === 503);

/** @param onSessionLost is called when the API does not know the session any more. */
export function createQueryClient(onSessionLost: (isCommand: boolean) => void): QueryClient {
  const onErrorOf = (isCommand: boolean) => (error: unknown) => {
    if (error instanceof ApiProblem && error.isSessionLost) onSessionLost(isCommand);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: onErrorOf(false) }),
    mutationCache: new MutationCache({ onError: onErrorOf(true) }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => count < MOST_RETRIES && isPassing(error),
      },
      mutations: { retry: false },
    },
  });
}
