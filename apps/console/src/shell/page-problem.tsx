import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ProblemAlert } from '../components/problem-alert.tsx';

/** In the place of a page that could not be shown. */
export function PageProblem({ error }: { readonly error: unknown }): ReactElement {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ProblemAlert error={error} onRetry={retry} />;
}
