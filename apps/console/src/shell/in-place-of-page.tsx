import { Container } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { EmptyState, Page, PageLink } from '../components/page.tsx';
import { ProblemAlert } from '../components/problem-alert.tsx';

/** Inside the shell, or in `NothingHere`. */
export function NoSuchPage(): ReactElement {
  return (
    <Page title="No such page">
      <EmptyState
        icon="search"
        title="There is nothing at this address"
        action={<PageLink to="/">Go to Today</PageLink>}
      >
        The page or the shop does not exist, or belongs to another account.
      </EmptyState>
    </Page>
  );
}

/** The same, where no shop is known that a shell could be of. */
export function NothingHere(): ReactElement {
  return (
    <Container size="sm" py="xl" component="main">
      <NoSuchPage />
    </Container>
  );
}

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
