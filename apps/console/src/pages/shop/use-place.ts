import { getRouteApi } from '@tanstack/react-router';
import type { DialogName, ShopSearch } from './search.ts';

const route = getRouteApi('/s/$siteId/shop');

interface Place extends ShopSearch {
  /** Changes some of it. */
  readonly go: (to: ShopSearch) => void;
  readonly open: (dialog: DialogName) => void;
  readonly close: () => void;
}

/** Where one is on this page, which its address says, and how to go elsewhere on it. */
export function usePlace(): Place {
  const place = route.useSearch();
  const navigate = route.useNavigate();
  const go = (to: ShopSearch, replace = false) =>
    void navigate({ search: (before: ShopSearch) => ({ ...before, ...to }), resetScroll: false, replace });
  return {
    ...place,
    go: (to) => go(to),
    open: (dialog) => go({ dialog }),
    // Back does not open a closed one again.
    close: () => go({ dialog: undefined, order: undefined, cycle: undefined }, true),
  };
}
