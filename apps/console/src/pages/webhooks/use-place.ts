import { getRouteApi } from '@tanstack/react-router';
import type { DialogName, WebhooksSearch } from './search.ts';

const route = getRouteApi('/s/$siteId/webhooks');

interface Place extends WebhooksSearch {
  /** Changes some of it. */
  readonly go: (to: WebhooksSearch) => void;
  readonly open: (dialog: DialogName) => void;
  readonly close: () => void;
  /** Leads to the list of all endpoints. */
  readonly leave: () => void;
}

/** Where one is on this page, which its address says, and how to go elsewhere on it. */
export function usePlace(): Place {
  const place = route.useSearch();
  const navigate = route.useNavigate();
  const go = (to: WebhooksSearch) =>
    void navigate({ search: (before: WebhooksSearch) => ({ ...before, ...to }), resetScroll: false });
  return {
    ...place,
    go,
    open: (dialog: DialogName) => go({ dialog }),
    close: () => go({ dialog: undefined }),
    leave: () => void navigate({ search: {} }),
  };
}
