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
  const go = (to: WebhooksSearch, replace = false) =>
    void navigate({ search: (before: WebhooksSearch) => ({ ...before, ...to }), resetScroll: false, replace });
  return {
    ...place,
    go: (to) => go(to),
    open: (dialog: DialogName) => go({ dialog }),
    // Back does not open a closed one again.
    close: () => go({ dialog: undefined }, true),
    leave: () => void navigate({ search: {} }),
  };
}
