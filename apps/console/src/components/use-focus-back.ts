import { useEffect, useState } from 'react';

/** What had the focus before any dialog was open: a dialog that follows another one leads back to it, too. */
let opener: Element | null = null;

function rememberedOpener(): Element | null {
  if (document.querySelector('[aria-modal="true"]') === null) opener = document.activeElement;
  return opener;
}

/**
 * For what is open as long as it is shown: when it goes, the focus is again where it was, or at the page’s content
 * where that is gone. Mantine’s own return of the focus needs a dialog that stays mounted.
 */
export function useFocusBack(): void {
  const [before] = useState(rememberedOpener);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      if (before === document.body || document.activeElement !== before)
        document.getElementById('content')?.focus({ preventScroll: true });
    },
    [before],
  );
}
