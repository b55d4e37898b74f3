import { getRouteApi } from '@tanstack/react-router';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/keys');

interface Dialog {
  readonly dialog: DialogName | undefined;
  /** The id of the key or token that it is about. */
  readonly entry: number | undefined;
  readonly cursor: string | undefined;
  readonly open: (name: DialogName, id?: number) => void;
  readonly close: () => void;
}

/** The open dialog stands in the address, so that a reload leaves it open. Back does not open a closed one again. */
export function useDialog(): Dialog {
  const { dialog, entry, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, id?: number) =>
    void navigate({
      search: { dialog: name, entry: id, cursor },
      resetScroll: false,
      replace: name === undefined,
    });
  return {
    dialog,
    entry,
    cursor,
    open: show,
    close: () => show(undefined),
  };
}
